import { eachScenario, placed } from "./each-scenario.ts";
import { type RunOptions, runScenario, type ScenarioRun } from "./run-scenario.ts";
import type { Scenario, Theme } from "./scenarios/scenario.ts";

/** What is played, and how. */
export interface PlayOptions extends RunOptions {
  readonly themes: readonly Theme[];
  /** How many scenarios run at a time. */
  readonly jobs: number;
}

/** A scenario that was played. */
export interface Played {
  readonly theme: string;
  readonly scenario: Scenario;
  readonly run: ScenarioRun;
}

/** Plays scenarios with an agent and hands over each one when it is over; the signal ends it early. */
export async function playScenarios(
  options: PlayOptions,
  onPlayed: (played: Played) => Promise<void>,
): Promise<void> {
  // The longest come first, so that no single one is left for the end.
  const longestFirst = [...placed(options.themes)].sort(
    (a, b) => (b.scenario.limitMs ?? 0) - (a.scenario.limitMs ?? 0),
  );
  await eachScenario(longestFirst, options, async (next) =>
    onPlayed({ ...next, run: await runScenario(next.scenario, options) }),
  );
}
