import { eachScenario, placed } from "./each-scenario.ts";
import { type RunOptions, runScenario, type ScenarioRun } from "./run-scenario.ts";
import type { Scenario, Theme } from "./scenarios/scenario.ts";

/** What to play, and how. */
export interface PlayOptions extends RunOptions {
  readonly themes: readonly Theme[];
  /** How many scenarios run at once. */
  readonly jobs: number;
}

/** A finished scenario. */
export interface Played {
  readonly theme: string;
  readonly scenario: Scenario;
  readonly run: ScenarioRun;
}

/** Plays scenarios with an agent and delivers each one when it has ended; the signal ends it early. */
export async function playScenarios(
  options: PlayOptions,
  onPlayed: (played: Played) => Promise<void>,
): Promise<void> {
  // Start the longest first, so that none of them is left running alone at the end.
  const longestFirst = [...placed(options.themes)].sort(
    (a, b) => (b.scenario.limitMs ?? 0) - (a.scenario.limitMs ?? 0),
  );
  await eachScenario(longestFirst, options, async (next) =>
    onPlayed({ ...next, run: await runScenario(next.scenario, options) }),
  );
}
