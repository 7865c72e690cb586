import type { Difference } from "./compare/compare.ts";
import { deviationsOf } from "./deviations.ts";
import { type PlayOptions, playScenarios } from "./play-scenarios.ts";
import { readRecording } from "./recording.ts";
import type { ScenarioRun } from "./run-scenario.ts";
import type { Scenario } from "./scenarios/scenario.ts";
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
export interface ScoreOptions extends PlayOptions {
  /** Hears of every scenario when it is over. */
  readonly onOutcome?: (outcome: Outcome, run: ScenarioRun) => void | Promise<void>;
}

/** Scores an agent: runs every scenario and compares it with its recording. */
export async function score(options: ScoreOptions): Promise<readonly Outcome[]> {
  const outcomes: Outcome[] = [];
  await playScenarios(options, async ({ theme, scenario, run }) => {
    const outcome = await toOutcome(theme, scenario, run, options.command);
    outcomes.push(outcome);
    await options.onOutcome?.(outcome, run);
  });
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
