import { compare, type Difference, show } from "./compare/compare.ts";
import { pathReplacer } from "./compare/paths.ts";
import { reduce } from "./compare/reduce.ts";
import { same } from "./compare/texts.ts";
import { deviationsOf } from "./deviations.ts";
import { eachScenario, placed } from "./each-scenario.ts";
import { type PlayOptions, playScenarios } from "./play-scenarios.ts";
import { readRecording } from "./recording.ts";
import type { ScenarioRun } from "./run-scenario.ts";
import type { Expectation, Scenario } from "./scenarios/scenario.ts";
import type { Transcript } from "./transcript.ts";

/** Compares a run with the recording and with its other expectations; it matches if there is no hard difference. */
function judge(
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

/** The result of a scenario: as recorded, deliberately different, or different. */
export type ScenarioStatus = "match" | "deviation" | "mismatch";

/** The score of one scenario. */
export interface ScenarioScore {
  readonly theme: string;
  readonly scenario: string;
  readonly verdict: ScenarioStatus;
  readonly hard: readonly Difference[];
  readonly soft: readonly Difference[];
  /** The reason for a deviation. */
  readonly why?: string;
  /** The commands that outlived the agent. */
  readonly leftOver: readonly string[];
  readonly ms: number;
}

/** What is scored, and how. */
interface ScoreOptions extends PlayOptions {
  /** Called after every scenario. */
  readonly onOutcome?: (outcome: ScenarioScore, run: ScenarioRun) => void | Promise<void>;
}

/** Scores an agent: runs every scenario and compares it with its recording. */
export async function score(options: ScoreOptions): Promise<readonly ScenarioScore[]> {
  const outcomes: ScenarioScore[] = [];
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
): Promise<ScenarioScore> {
  const differences = judge(await readRecording(scenario.name), run, scenario.expect);
  const hard = differences.filter(({ severity }) => severity === "hard");
  const soft = differences.filter(({ severity }) => severity === "soft");
  const shared = { theme, scenario: scenario.name, hard, soft, leftOver: run.leftOver, ms: run.ms };
  if (hard.length === 0) return { ...shared, verdict: "match" };
  const known = deviationsOf(command).find((deviation) => deviation.scenario === scenario.name);
  return known ? { ...shared, verdict: "deviation", why: known.why } : { ...shared, verdict: "mismatch" };
}

/** Scores every scenario by what `play` observes, without a recording; runs a number of them at once. */
export async function scoreEach<S extends { readonly name: string }>(
  themes: Parameters<typeof placed<S>>[0],
  options: {
    readonly jobs: number;
    readonly signal?: AbortSignal | undefined;
    /** Called after every scenario. */
    readonly onOutcome?: ((outcome: ScenarioScore) => void) | undefined;
  },
  play: (scenario: S) => Promise<Observed>,
): Promise<readonly ScenarioScore[]> {
  const outcomes: ScenarioScore[] = [];
  await eachScenario(placed(themes), options, async ({ theme, scenario }) => {
    const { problems, stderr, leftOver = [], ms } = await play(scenario);
    const said = stderr.trim().split("\n").at(-1) ?? "";
    const isGood = problems.length === 0;
    const outcome: ScenarioScore = {
      theme,
      scenario: scenario.name,
      verdict: isGood ? "match" : "mismatch",
      hard: problems.map((text) => ({ severity: "hard", text, lines: {} })),
      soft: !isGood && said !== "" ? [{ severity: "soft", text: `stderr: ${said}`, lines: {} }] : [],
      leftOver,
      ms,
    };
    outcomes.push(outcome);
    options.onOutcome?.(outcome);
  });
  return outcomes;
}

/** What was observed of a program in one scenario. */
export interface Observed {
  /** The problems that were found. */
  readonly problems: readonly string[];
  readonly stderr: string;
  readonly leftOver?: readonly string[];
  readonly ms: number;
}
