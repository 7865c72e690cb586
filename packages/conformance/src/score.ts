import type { Difference } from "./compare/compare.ts";
import { deviationsOf } from "./deviations.ts";
import { readRecording } from "./recording.ts";
import { type RunOptions, runScenario, type ScenarioRun } from "./run-scenario.ts";
import type { Scenario, Theme } from "./scenarios/scenario.ts";
import { judge } from "./verdict.ts";

/** How a scenario went: as recorded, otherwise on purpose, or otherwise. */
export type Verdict = "match" | "deviation" | "mismatch";

/** The score of one scenario. */
export interface Outcome {
  readonly theme: string;
  readonly scenario: string;
  readonly verdict: Verdict;
  readonly hard: readonly Difference[];
  readonly soft: readonly Difference[];
  /** Why a deviation is one. */
  readonly why?: string;
  /** The commands that had outlived the agent. */
  readonly leftOver: readonly string[];
  readonly ms: number;
}

/** What is scored, and how. */
export interface ScoreOptions extends RunOptions {
  readonly themes: readonly Theme[];
  /** How many scenarios run at a time. */
  readonly jobs: number;
  /** Hears of every scenario when it is over. */
  readonly onOutcome?: (outcome: Outcome, run: ScenarioRun) => void | Promise<void>;
}

/** Scores an agent: runs every scenario and compares it with its recording. */
export async function score(options: ScoreOptions): Promise<readonly Outcome[]> {
  const waiting = options.themes
    .flatMap((theme) => theme.scenarios.map((scenario) => ({ theme: theme.name, scenario })))
    // The longest come first, so that no single one is left for the end.
    .sort((a, b) => (b.scenario.limitMs ?? 0) - (a.scenario.limitMs ?? 0));
  const outcomes: Outcome[] = [];
  const work = async () => {
    for (let next = waiting.shift(); next && !options.signal?.aborted; next = waiting.shift()) {
      const run = await runScenario(next.scenario, options);
      const outcome = await toOutcome(next.theme, next.scenario, run, options.command);
      outcomes.push(outcome);
      await options.onOutcome?.(outcome, run);
    }
  };
  await Promise.all(Array.from({ length: options.jobs }, work));
  return outcomes;
}

async function toOutcome(
  theme: string,
  scenario: Scenario,
  run: ScenarioRun,
  command: readonly string[],
): Promise<Outcome> {
  const differences = judge(await readRecording(scenario.name), run, scenario.expect);
  const hard = differences.filter(({ severity }) => severity === "hard");
  const soft = differences.filter(({ severity }) => severity === "soft");
  const shared = { theme, scenario: scenario.name, hard, soft, leftOver: run.leftOver, ms: run.ms };
  if (hard.length === 0) return { ...shared, verdict: "match" };
  const known = deviationsOf(command).find((deviation) => deviation.scenario === scenario.name);
  return known ? { ...shared, verdict: "deviation", why: known.why } : { ...shared, verdict: "mismatch" };
}
