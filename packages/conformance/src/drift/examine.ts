import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { agentEnvironment, type Environment } from "../agent-driver/environment.ts";
import { makeSandbox } from "../agent-driver/sandbox.ts";
import { runScenario } from "../run-scenario.ts";
import { prompts } from "../scenarios/parts.ts";
import type { Scenario } from "../scenarios/scenario.ts";
import { says } from "../scripted-api/script.ts";
import type { AgentFacts } from "./make-contract.ts";

/** The agent to examine, and its surroundings. */
export interface ExamineOptions {
  readonly command: readonly string[];
  readonly environment: Environment;
  readonly limitMs: number;
  readonly signal: AbortSignal;
}

/** One turn, only to see whether the agent answers at all. */
const GREETING: Scenario = {
  name: "greeting",
  about: "a prompt gets a result",
  steps: [says("Hello.")],
  flow: prompts("hi"),
};

/** Determines what an agent reports about itself, and whether it can ask its host. */
export async function examine(options: ExamineOptions): Promise<AgentFacts> {
  const version = await printed(options, "--version");
  const help = await printed(options, "--help");
  const { transcript } = await runScenario(GREETING, options);
  return {
    agent: version.trim().split("\n")[0] ?? "",
    flags: flagsIn(help),
    asksHost: transcript.some(({ dir }) => dir === "out"),
  };
}

const HELP_MS = 20_000;

/** The output of the agent for one flag; empty if it does not know the flag. */
async function printed({ command, environment, signal }: ExamineOptions, flag: string): Promise<string> {
  const [program = "", ...words] = command;
  const sandbox = await makeSandbox();
  try {
    const env = agentEnvironment(environment, { ...sandbox, apiUrl: "http://127.0.0.1:9" });
    const running = promisify(execFile)(program, [...words, flag], {
      cwd: sandbox.cwd,
      env,
      signal,
      timeout: HELP_MS,
    });
    running.child.stdin?.end();
    return (await running).stdout;
  } catch {
    return "";
  } finally {
    await sandbox.remove();
  }
}

function flagsIn(help: string): readonly string[] {
  return [...new Set(help.match(/(?<![\w-])--[a-z][a-z0-9-]*/g) ?? [])].sort();
}
