import { parseVersion, type Version } from "@agentwire/protocol/compatibility";
import { type DialectName, dialectForVersion } from "@agentwire/protocol/dialect";
import { examineAgent, mustBeDrivable } from "../agent/agent-version.ts";
import { commandOf, findAgent } from "../agent/find-agent.ts";
import { HostError } from "../errors.ts";
import type { Options } from "../sdk/options.ts";
import type { QueryOptions } from "../sdk/own-options.ts";
import type { Environment } from "./environment.ts";

/** The agent that a session will run. */
export interface Program {
  readonly command: readonly [string, ...string[]];
  /** Undefined where it can't be known; such an agent counts as the newest. */
  readonly version: Version | undefined;
  readonly dialect: DialectName;
}

/** Finds the agent for a set of options and asks for its version. */
export async function programOf(options: QueryOptions, env: Environment): Promise<Program> {
  const { pathToClaudeCodeExecutable: given, executable, executableArgs = [], cwd } = options;
  if (options.spawnClaudeCodeProcess) {
    // It runs elsewhere: there is nothing here to be looked for or asked.
    const path = given ?? "claude";
    return { command: withArguments(path, options), version: undefined, dialect: newestDialect() };
  }
  const path = pathOf(given, env, cwd);
  const command = withArguments(path, { executable, executableArgs });
  const { assumeVersion } = options.agentwire ?? {};
  if (assumeVersion !== undefined) {
    const version = parseVersion(assumeVersion);
    return { command, version, dialect: dialectForVersion(version).dialect.name };
  }
  const { version, dialect, verdict } = await examineAgent(path, command, env);
  if (version) mustBeDrivable({ version, dialect, verdict });
  else warnOnce(verdict.message);
  return { command, version, dialect };
}

const warned = new Set<string>();

/** Says that nothing is known of an agent; once, as most programs run many queries with the same one. */
function warnOnce(message: string): void {
  if (warned.has(message)) return;
  if (warned.size < MAX_WARNINGS) warned.add(message);
  process.emitWarning(message, { code: "AGENTWIRE_UNKNOWN_AGENT" });
}

const MAX_WARNINGS = 64;

/** Where the agent is; programs that were written for the official SDK look for its words if it is nowhere. */
function pathOf(given: string | undefined, env: Environment, cwd: string | undefined): string {
  try {
    return findAgent(given, env, cwd).path;
  } catch (cause) {
    if (!(cause instanceof HostError)) throw cause;
    const { code, message } = cause;
    if (given === undefined)
      throw new HostError(
        code,
        `Native CLI binary for ${process.platform}-${process.arch} not found: ${message}`,
        {
          cause,
        },
      );
    const where =
      code === "agent_not_found"
        ? `Claude Code native binary not found at ${given}.`
        : `Claude Code native binary at ${given} exists but failed to launch: ${message}`;
    throw new HostError(code, `${where} Set options.pathToClaudeCodeExecutable to the path of an agent.`, {
      cause,
    });
  }
}

function withArguments(
  path: string,
  { executable, executableArgs }: Pick<Options, "executable" | "executableArgs">,
): readonly [string, ...string[]] {
  // A script runs in the runtime of its host unless told otherwise.
  const runtime = executable ?? ("bun" in process.versions ? "bun" : "node");
  const command = commandOf(path, { executable: runtime, executableArgs });
  // What is no script takes the arguments itself, as with the official SDK.
  return command.length === 1 ? [...command, ...(executableArgs ?? [])] : command;
}

const newestDialect = () => dialectForVersion(undefined).dialect.name;
