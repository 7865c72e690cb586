import { resolve } from "node:path";
import { supports } from "@agentwire/protocol/compatibility";
import type { DialectName } from "@agentwire/protocol/dialect";
import { type Agent, agentElsewhere, examineAgent, requireSupported } from "../agent/agent.ts";
import { HostError } from "../errors.ts";
import { type Environment, environmentOf } from "../options/environment.ts";
import { type Prepared, prepareLaunch } from "../options/launch.ts";
import { bringTranscript } from "../store/bring-transcript.ts";
import { officialOptions, type SessionOptions } from "./session-options.ts";

/** The dialects that only our own agent speaks, and only on request. */
const BY_FLAG: ReadonlySet<DialectName> = new Set(["miriad", "jsonrpc", "dart", "acp"]);

/** A session that can be started, and the agent that it runs. */
export interface PreparedSession extends Prepared {
  readonly agent: Agent;
}

/** Determines the program and its command line; throws a `HostError` for options that can't be honored. */
export async function prepareSession(
  options: SessionOptions,
  inherited: Environment,
): Promise<PreparedSession> {
  const env = environmentOf(options.env ? { env: { ...options.env } } : {}, { inherited });
  const { command, initialize = {} } = options;
  if (command) {
    const [program, ...args] = command;
    const { dialect = "claude" } = options;
    const launch = { command: program, args, env, dialect };
    return { agent: { command, dialect }, launch, initialize, remove: async () => {} };
  }
  const found = await sessionAgent(options, env);
  requireSupported(found);
  const agent = { ...found, dialect: options.dialect ?? found.dialect };
  if (agent.dialect === "acp" && agent.version === undefined) return prepareAcp(agent, env, options);
  const { version, dialect } = agent;
  if (options.initialize && !supports(version, undefined, "control_requests"))
    throw new HostError("unsupported_option", "initialize: this version of the agent takes prompts only.");
  const { cwd, resume, sessionStore } = options;
  if (sessionStore && resume !== undefined)
    await bringTranscript(sessionStore, { cwd, sessionId: resume, env });
  const asks = options.permissions !== undefined;
  const prepared = await prepareLaunch(agent, env, {
    options: { ...officialOptions(options), ...(asks && { permissionPromptToolName: "stdio" }) },
    initialize,
    args: [...(BY_FLAG.has(dialect) ? ["--dialect", dialect] : []), ...(options.args ?? [])],
  });
  return { ...prepared, agent };
}

async function sessionAgent(
  { agent, spawn, cwd, dialect }: SessionOptions,
  env: Environment,
): Promise<Agent> {
  if (typeof agent === "object") return agent;
  if (spawn) return agentElsewhere(agent);
  return await examineAgent({ agent, env, cwd, ...(dialect === "acp" && { dialect }) });
}

/** Options that other agents get as flags, an agent of the Agent Client Protocol gets when its session is opened. */
function prepareAcp(agent: Agent, env: Environment, options: SessionOptions): PreparedSession {
  const {
    cwd,
    resume,
    model,
    permissionMode,
    includePartialMessages,
    handlers = {},
    initialize = {},
  } = options;
  for (const name of ["forkSession", "sessionId", "sessionStore"] as const)
    if (options[name] !== undefined)
      throw new HostError("unsupported_option", `${name}: the Agent Client Protocol has no equivalent.`);
  const [command, ...prefix] = agent.command;
  const does = (...names: readonly (keyof typeof handlers)[]) => names.every((name) => handlers[name]);
  const session = {
    cwd: resolve(cwd ?? ""),
    ...(resume !== undefined && { resume }),
    ...(model !== undefined && { model }),
    ...(permissionMode !== undefined && { permission_mode: permissionMode }),
    partial_messages: includePartialMessages === true,
    files: does("read_text_file", "write_text_file"),
    terminals: does(
      "create_terminal",
      "terminal_output",
      "wait_for_terminal_exit",
      "kill_terminal",
      "release_terminal",
    ),
    elicitation: does("elicitation"),
    ...initialize.session,
  };
  return {
    agent,
    launch: { command, args: [...prefix, ...(options.args ?? [])], env, dialect: "acp" },
    initialize: { ...initialize, session },
    remove: async () => {},
  };
}
