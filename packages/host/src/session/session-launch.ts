import { supports, type Version } from "@agentwire/protocol/compatibility";
import type { DialectName } from "@agentwire/protocol/dialect";
import { examineAgent, mustBeDrivable } from "../agent/agent-version.ts";
import { commandOf, findAgent } from "../agent/find-agent.ts";
import { HostError } from "../errors.ts";
import type { Launch } from "../link/launch.ts";
import { environmentOf } from "../options/environment.ts";
import type { SessionAgent, SessionOptions } from "./session-options.ts";

const STREAMS = ["--output-format", "stream-json", "--verbose", "--input-format", "stream-json"];

/** The spellings that only our own agent has, and only when it is told. */
const BY_FLAG: ReadonlySet<DialectName> = new Set(["miriad", "jsonrpc", "dart"]);

/** What to start for a session, and what is known of it. */
export interface SessionLaunch {
  readonly launch: Launch;
  readonly agent: SessionAgent;
}

/** Settles which program runs with which command line; throws a `HostError` for what can't be honoured. */
export async function sessionLaunch(
  options: SessionOptions,
  inherited: Readonly<Record<string, string | undefined>>,
): Promise<SessionLaunch> {
  const env = environmentOf(options.env ? { env: { ...options.env } } : {}, { inherited });
  if (options.command) {
    const [command, ...args] = options.command;
    if (options.agent !== undefined || options.args)
      throw new HostError(
        "invalid_option",
        "Give either a whole command line, or an agent and its arguments.",
      );
    const dialect = options.dialect ?? "claude";
    return { launch: { ...carriedOver(options), command, args, env, dialect }, agent: { dialect } };
  }
  // Where the agent runs elsewhere, what is here tells nothing of it.
  const path = options.spawn ? (options.agent ?? "claude") : findAgent(options.agent, env, options.cwd).path;
  const [command, ...own] = commandOf(path);
  const facts = options.spawn ? undefined : await examineAgent(path, [command, ...own], env);
  if (facts) mustBeDrivable(facts);
  const dialect = options.dialect ?? facts?.dialect ?? "claude";
  const args = [...own, ...STREAMS, ...flagsFor(options, facts?.version, dialect), ...(options.args ?? [])];
  const version = facts?.version;
  return {
    launch: { ...carriedOver(options), command, args, env, dialect, ...(version && { version }) },
    agent: { path, ...facts, dialect },
  };
}

function flagsFor(
  options: SessionOptions,
  version: Version | undefined,
  dialect: DialectName,
): readonly string[] {
  const asks = options.permissions !== undefined;
  if (asks && !supports(version, undefined, "stdio_permission_prompts"))
    throw new HostError("unsupported_option", "permissions: this version of the agent can't ask its host.");
  if (options.initialize && !supports(version, undefined, "control_requests"))
    throw new HostError("unsupported_option", "initialize: this version of the agent takes prompts only.");
  return [
    ...(asks ? ["--permission-prompt-tool", "stdio"] : []),
    ...(BY_FLAG.has(dialect) ? ["--dialect", dialect] : []),
  ];
}

function carriedOver(options: SessionOptions) {
  const {
    cwd,
    deadlines,
    maxLineBytes,
    take,
    onMessage,
    onMalformed,
    onStderr,
    onGroup,
    spawn,
    record,
    log,
    signal,
  } = options;
  return {
    ...(cwd !== undefined && { cwd }),
    ...(deadlines && { deadlines }),
    ...(maxLineBytes !== undefined && { maxLineBytes }),
    ...(take && { take }),
    ...(onMessage && { onMessage }),
    ...(onMalformed && { onMalformed }),
    ...(onStderr && { onStderr }),
    ...(onGroup && { onGroup }),
    ...(spawn && { spawn }),
    ...(record !== undefined && { record }),
    ...(log && { log }),
    ...(signal && { signal }),
  };
}
