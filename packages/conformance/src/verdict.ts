import { compare, type Difference, show } from "./compare/compare.ts";
import { pathReplacer } from "./compare/paths.ts";
import { reduce } from "./compare/reduce.ts";
import { same } from "./compare/texts.ts";
import type { ScenarioRun } from "./run-scenario.ts";
import type { Expectation } from "./scenarios/scenario.ts";
import type { Transcript } from "./transcript.ts";

/** Judges a run by the recording and by what is known beside it; no hard difference means a match. */
export function judge(
  recording: Transcript,
  run: ScenarioRun,
  expectation: Expectation = {},
): readonly Difference[] {
  return [
    ...compare(reduce(recording), reduce(run.transcript, pathReplacer(run.folders))),
    ...compareOutcome(run, expectation).map((text) => ({ severity: "hard", text, lines: {} }) as const),
  ];
}

function compareOutcome(run: ScenarioRun, expectation: Expectation): readonly string[] {
  const { exits = [0], facts = {}, stderr = false } = expectation;
  const wrongExits = same(exits, run.exits) ? [] : [`exit is ${show(run.exits)}, not ${show(exits)}`];
  const wrongFacts = Object.entries(facts)
    .filter(([name, value]) => !same(value, run.facts[name]))
    .map(([name, value]) => `${name} is ${show(run.facts[name])}, not ${show(value)}`);
  const noReason = stderr && run.stderr.trim() === "" ? ["nothing on stderr says why"] : [];
  const failure = run.failure === undefined ? [] : [run.failure];
  return [...wrongExits, ...wrongFacts, ...noReason, ...failure];
}
