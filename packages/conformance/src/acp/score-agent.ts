import type { JsonObject } from "@agentwire/protocol";
import { agentEnvironment, type Environment } from "../agent-driver/environment.ts";
import { endProcessesIn } from "../agent-driver/left-over.ts";
import { makeSandbox, type Sandbox } from "../agent-driver/sandbox.ts";
import { textAt } from "../json-path.ts";
import { type Observed, type ScenarioScore, scoreEach } from "../score.ts";
import { startTalkApi, type TalkApi } from "../scripted-api/talk-api.ts";
import { type AcpScenario, type AcpStage, type AcpTheme, must } from "./agent-scenario.ts";
import { cancels } from "./scenarios/cancels.ts";
import { opening } from "./scenarios/opening.ts";
import { questions } from "./scenarios/questions.ts";
import { sessions } from "./scenarios/sessions.ts";
import { talk } from "./scenarios/talk.ts";
import { Problem, ScriptedClient } from "./scripted-client.ts";

/** Every scenario for agents of the Agent Client Protocol, by theme. */
export const ACP_THEMES: readonly AcpTheme[] = [opening, talk, questions, cancels, sessions];

/** What is scored, and how. */
export interface AcpScoreOptions {
  /** All by default. */
  readonly themes?: readonly AcpTheme[];
  /** The agent's program and its arguments. */
  readonly command: readonly string[];
  /** The environment of the runner; the agent gets only a few of its variables. */
  readonly environment: Environment;
  /** Variables for the agent; `{api}` is the address of the scripted API. */
  readonly variables?: Readonly<Record<string, string>>;
  /** The login of the agent that a client uses. */
  readonly authMethod?: string | undefined;
  /** How many scenarios run at once. */
  readonly jobs: number;
  /** How long a scenario may take. */
  readonly limitMs: number;
  readonly signal?: AbortSignal;
  /** Called after every scenario. */
  readonly onOutcome?: (outcome: ScenarioScore) => void;
}

/** Scores an agent: plays every scenario with a separate process, and checks all its lines against the official schema. */
export async function scoreAcpAgent(options: AcpScoreOptions): Promise<readonly ScenarioScore[]> {
  const { themes = ACP_THEMES } = options;
  return scoreEach(themes, options, (scenario) => observe(scenario, options));
}

async function observe(scenario: AcpScenario, options: AcpScoreOptions): Promise<Observed> {
  const startedAt = performance.now();
  const sandbox = await makeSandbox();
  const api = await startTalkApi(scenario.replies ?? {});
  const limit = AbortSignal.timeout(options.limitMs);
  const signal = options.signal ? AbortSignal.any([limit, options.signal]) : limit;
  const clients: ScriptedClient[] = [];
  const start = () => {
    const client = startClient(sandbox, api, options, signal);
    clients.push(client);
    return client;
  };
  const problems: string[] = [];
  try {
    await scenario.play(stageOf(start, sandbox, api, options));
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    problems.push(error.message);
  } finally {
    await Promise.all(clients.map((client) => client.kill()));
    endProcessesIn(sandbox.root);
    await Promise.all([api.close(), sandbox.remove()]);
  }
  const faults = clients.flatMap(({ check }) => check.faults);
  problems.push(
    ...(scenario.isRude ? faults.filter((fault) => !fault.startsWith("the protocol has no")) : faults),
  );
  const stderr = clients.at(-1)?.stderr ?? "";
  return { problems, stderr, ms: Math.round(performance.now() - startedAt) };
}

function stageOf(
  start: () => ScriptedClient,
  sandbox: Sandbox,
  api: TalkApi,
  { authMethod }: AcpScoreOptions,
): AcpStage {
  const client = start();
  const { cwd, exists } = sandbox;
  let greeting: Promise<JsonObject> | undefined;
  const greet = () => (greeting ??= client.greet(authMethod));
  return {
    ...{ client, api, cwd, exists, greet },
    another: async () => {
      const other = start();
      await other.greet(authMethod);
      return other;
    },
    begin: async () => {
      await greet();
      const sessionId = textAt(await client.request("session/new", { cwd, mcpServers: [] }), "sessionId");
      must(sessionId !== undefined && sessionId !== "", "session/new returns no sessionId");
      return sessionId;
    },
  };
}

function startClient(sandbox: Sandbox, { url }: TalkApi, options: AcpScoreOptions, signal: AbortSignal) {
  const { command, environment, variables = {} } = options;
  const given = Object.entries(variables).map(([name, value]) => [name, value.replaceAll("{api}", url)]);
  const env = agentEnvironment(
    environment,
    { ...sandbox, apiUrl: url },
    {
      OPENAI_BASE_URL: `${url}/v1`,
      OPENAI_API_KEY: "dummy",
      GOOGLE_GEMINI_BASE_URL: url,
      GEMINI_API_KEY: "dummy",
      ...Object.fromEntries(given),
    },
  );
  return new ScriptedClient({ command, args: [], cwd: sandbox.cwd, env }, signal);
}
