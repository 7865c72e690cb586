import { type Observed, type ScenarioScore, scoreEach } from "../score.ts";
import { ALWAYS, writes } from "./checks.ts";
import type { Check, HostScenario, HostTheme } from "./host-scenario.ts";
import { type HostRunOptions, runHost } from "./run-host.ts";
import { callbacks } from "./scenarios/callbacks.ts";
import { endings } from "./scenarios/endings.ts";
import { questions } from "./scenarios/questions.ts";
import { talk } from "./scenarios/talk.ts";

/** Every scenario for hosts, by theme. */
export const HOST_THEMES: readonly HostTheme[] = [talk, questions, callbacks, endings];

type AnyTask = { readonly prompts: readonly string[] };

/** What is scored, and how. */
export interface HostScoreOptions extends HostRunOptions {
  readonly themes: readonly HostTheme<AnyTask>[];
  /** The checks for every run, for wires other than Claude's. */
  readonly always?: readonly Check[];
  /** How many scenarios run at once. */
  readonly jobs: number;
  /** Called after every scenario. */
  readonly onOutcome?: (outcome: ScenarioScore) => void;
}

/** Scores a host: plays every scenario with a scripted agent and checks what the host did. */
export async function scoreHost(options: HostScoreOptions): Promise<readonly ScenarioScore[]> {
  return scoreEach(options.themes, options, (scenario) => observe(scenario, options));
}

async function observe(scenario: HostScenario<AnyTask>, options: HostScoreOptions): Promise<Observed> {
  const run = await runHost(scenario, options);
  // A host that fails before it sends anything must not pass as one that notices a failure of its agent.
  const isSpokenTo = scenario.script.some((step) => "hear" in step);
  const always = options.always ?? [...ALWAYS, ...(isSpokenTo ? [writes({ type: "user" })] : [])];
  const problems = [...always, ...scenario.checks].flatMap((check) => check(run) ?? []);
  return { problems, stderr: run.stderr, leftOver: run.leftOver, ms: run.ms };
}
