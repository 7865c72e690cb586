import type { JsonObject } from "@agentwire/protocol";
import { errorMessage } from "@agentwire/protocol/support";
import type { Exit, startProcess } from "./agent-driver/agent-process.ts";
import { AgentDriver } from "./agent-driver/driver.ts";
import { agentEnvironment, type Environment } from "./agent-driver/environment.ts";
import { makeSandbox, type Sandbox } from "./agent-driver/sandbox.ts";
import type { Folders } from "./compare/paths.ts";
import type { Scenario } from "./scenarios/scenario.ts";
import { type ScriptedApi, startScriptedApi } from "./scripted-api/server.ts";
import type { Transcript } from "./transcript.ts";

/** The settings of a run. */
export interface RunOptions {
  /** The agent's program and its arguments. */
  readonly command: readonly string[];
  /** The environment of the runner; the agent gets only a few of its variables. */
  readonly environment: Environment;
  /** The time limit for scenarios that do not set their own. */
  readonly limitMs: number;
  /** Whether the agent can ask its host for permissions over the wire; true by default. */
  readonly asksHost?: boolean;
  /** How long to wait for an answer before continuing without it; by default, the scenario does not continue. */
  readonly goOnAfterMs?: number;
  /** The wire of the scripted API, for agents that support `AGENTWIRE_PROVIDERS`; the Messages API by default. */
  readonly wire?: "chat" | "responses" | undefined;
  /** How to start the agent; as a process by default. */
  readonly start?: typeof startProcess;
  readonly signal?: AbortSignal;
}

/** The outcome of a scenario. */
export interface ScenarioRun {
  readonly transcript: Transcript;
  readonly exits: readonly (Exit | undefined)[];
  readonly stderr: string;
  readonly facts: JsonObject;
  /** What ended the scenario early, if anything did. */
  readonly failure?: string;
  /** The commands that outlived the agent. */
  readonly leftOver: readonly string[];
  readonly folders: Folders;
  readonly ms: number;
}

/** The arguments for every agent: the wire in both directions. */
const BASE_ARGS = ["-p", "--output-format", "stream-json", "--input-format", "stream-json", "--verbose"];

/** Makes an agent ask its host. */
const ASK_ARGS = ["--permission-prompt-tool", "stdio"];

/** Runs one scenario in temporary folders; whatever the agent does, nothing of it is left afterwards. */
export async function runScenario(scenario: Scenario, options: RunOptions): Promise<ScenarioRun> {
  const project = await makeSandbox(scenario.files);
  await scenario.prepare?.(project);
  const api = await startScriptedApi(scenario, { cwd: project.cwd, home: project.home });
  const { asksHost = true } = options;
  const limitMs = scenario.limitMs ?? options.limitMs;
  const limit = new AbortController();
  const timer = setTimeout(() => limit.abort(`the time limit of ${limitMs / 1000} s was reached`), limitMs);
  const agent = new AgentDriver({
    command: options.command,
    args: [...BASE_ARGS, ...(asksHost ? ASK_ARGS : []), ...(scenario.args ?? [])],
    cwd: project.cwd,
    ...(options.goOnAfterMs !== undefined && { goOnAfterMs: options.goOnAfterMs }),
    ...(options.start && { start: options.start }),
    env: agentEnvironment(
      options.environment,
      { ...project, apiUrl: api.url },
      { ...scenario.env, ...wireEnvironment(api.url, options.wire) },
    ),
    signal: options.signal ? AbortSignal.any([limit.signal, options.signal]) : limit.signal,
  });
  try {
    const outcome = await perform(scenario, agent, api, project);
    const leftOver = await agent.dispose();
    const failure = limit.signal.aborted ? String(limit.signal.reason) : (outcome.failure ?? agent.problem);
    return {
      transcript: agent.transcript,
      exits: agent.exits,
      stderr: agent.stderr,
      facts: outcome.facts,
      ...(failure !== undefined && { failure }),
      leftOver,
      folders: project,
      ms: Math.round(agent.now()),
    };
  } finally {
    clearTimeout(timer);
    await api.close();
    await project.remove();
  }
}

/** Makes the agent speak another wire for model names without a provider. */
function wireEnvironment(url: string, wire: RunOptions["wire"]): Readonly<Record<string, string>> {
  if (wire === undefined) return {};
  const anthropic = { wire, baseUrl: `${url}/v1`, apiKey: "sk-dummy" };
  return { AGENTWIRE_PROVIDERS: JSON.stringify({ anthropic }) };
}

const IMPATIENT_MS = 3000;

/** Plays the host's part. A failure of the agent is an outcome, not an error. */
async function perform(
  scenario: Scenario,
  agent: AgentDriver,
  api: ScriptedApi,
  project: Sandbox,
): Promise<{ readonly facts: JsonObject; readonly failure?: string }> {
  try {
    agent.start();
    const facts = await scenario.flow({ agent, api: api.requests, project });
    await agent.close();
    return { facts: facts ?? {} };
  } catch (error) {
    await agent.close(IMPATIENT_MS);
    return { facts: {}, failure: errorMessage(error) };
  }
}
