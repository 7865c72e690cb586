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
  const waiting = options.themes
    .flatMap((theme) => theme.scenarios.map((scenario) => ({ theme: theme.name, scenario })))
    // The longest come first, so that no single one is left for the end.
    .sort((a, b) => (b.scenario.limitMs ?? 0) - (a.scenario.limitMs ?? 0));
  const work = async () => {
    for (let next = waiting.shift(); next && !options.signal?.aborted; next = waiting.shift()) {
      await onPlayed({ ...next, run: await runScenario(next.scenario, options) });
    }
  };
  await Promise.all(Array.from({ length: options.jobs }, work));
}
