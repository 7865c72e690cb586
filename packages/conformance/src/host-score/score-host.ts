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
  /** What must be true of every run, where the wire is not Claude's. */
  readonly always?: readonly Check[];
  /** How many scenarios run at a time. */
  readonly jobs: number;
  /** Hears of every scenario when it is over. */
  readonly onOutcome?: (outcome: ScenarioScore) => void;
}

/** Scores a host: plays every scenario with a scripted agent and looks at what the host did. */
export async function scoreHost(options: HostScoreOptions): Promise<readonly ScenarioScore[]> {
  return scoreEach(options.themes, options, (scenario) => observe(scenario, options));
}

async function observe(scenario: HostScenario<AnyTask>, options: HostScoreOptions): Promise<Observed> {
  const run = await runHost(scenario, options);
  // A host that fails before it has said anything would pass for one that notices the failure of its agent.
  const isSpokenTo = scenario.script.some((step) => "hear" in step);
  const always = options.always ?? [...ALWAYS, ...(isSpokenTo ? [writes({ type: "user" })] : [])];
  const problems = [...always, ...scenario.checks].flatMap((check) => check(run) ?? []);
  return { problems, stderr: run.stderr, leftOver: run.leftOver, ms: run.ms };
}
