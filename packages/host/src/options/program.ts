import { type DialectName, dialectForVersion, type Version } from "@agentwire/protocol";
import { examineAgent, mustBeDrivable } from "../agent/agent-version.ts";
import { commandOf, findAgent } from "../agent/find-agent.ts";
import type { Options } from "../sdk/options.ts";
import type { Environment } from "./environment.ts";

/** The agent that a session will run. */
export interface Program {
  readonly command: readonly [string, ...string[]];
  /** Undefined where it can't be known; such an agent counts as the newest. */
  readonly version: Version | undefined;
  readonly dialect: DialectName;
}

/** Finds the agent for a set of options and asks for its version. */
export async function programOf(options: Options, env: Environment): Promise<Program> {
  const { pathToClaudeCodeExecutable: given, executable, executableArgs = [], cwd } = options;
  if (options.spawnClaudeCodeProcess) {
    // It runs elsewhere: there is nothing here to be looked for or asked.
    const path = given ?? "claude";
    return { command: withArguments(path, options), version: undefined, dialect: newestDialect() };
  }
  const { path } = findAgent(given, env, cwd);
  const command = withArguments(path, { executable, executableArgs });
  const facts = await examineAgent(path, command, env);
  if (facts.version) mustBeDrivable(facts);
  return { command, version: facts.version, dialect: facts.dialect };
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
