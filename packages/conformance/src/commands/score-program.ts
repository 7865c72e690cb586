import { checkCommand, positive } from "../options.ts";
import { print } from "../print.ts";
import { printOutcome } from "../report.ts";
import { choose, listing, type Named, type ThemeOf } from "../scenario-options.ts";
import type { ScenarioScore } from "../score.ts";
import { stopSignal } from "../stop-signal.ts";
import { reportScore } from "./report-score.ts";

/** The options of the commands that score a program by its behavior; each has its own default for `--timeout`. */
export const SCORE_OPTIONS = {
  help: { type: "boolean", short: "h", default: false },
  list: { type: "boolean", default: false },
  json: { type: "boolean", default: false },
  all: { type: "boolean", default: false },
  theme: { type: "string", multiple: true, default: [] as string[] },
  jobs: { type: "string", default: "1" },
  junit: { type: "string" },
} as const;

/** The text of `--help` for them, after the options of a single command. */
export function optionsHelp(timeout: string, more: readonly (readonly [string, string])[] = []): string {
  const all = [
    ...more,
    ["--theme <name>", "plays only this theme; may be repeated"],
    ["--jobs <n>", "scenarios to run at once (1)"],
    ["--timeout <s>", timeout],
    ["--all", "prints every problem and the program's stderr"],
    ["--json", "prints a JSON report"],
    ["--junit <file>", "writes a JUnit report for CI systems"],
    ["--list", "lists the scenarios"],
    ["-h, --help", "prints this help"],
  ] as const;
  const width = Math.max(...all.map(([option]) => option.length)) + 4;
  const lines = all.map(([option, words]) => `  ${option.padEnd(width)}${words}\n`).join("");
  return `${lines}\nExit codes: 0 every scenario passed, 1 one did not, 2 usage error.\n`;
}

/** A parsed command line. */
interface Given {
  readonly values: {
    readonly help: boolean;
    readonly list: boolean;
    readonly json: boolean;
    readonly all: boolean;
    readonly theme: readonly string[];
    readonly jobs: string;
    readonly timeout: string;
    readonly junit?: string;
  };
  readonly positionals: readonly string[];
  readonly command: readonly string[];
}

/** What to score: the chosen scenarios with a program, a number of them at once. */
interface Scoring<S extends Named> {
  readonly themes: readonly ThemeOf<S>[];
  readonly command: readonly string[];
  readonly environment: NodeJS.ProcessEnv;
  readonly jobs: number;
  readonly limitMs: number;
  readonly signal: AbortSignal;
  readonly onOutcome: (outcome: ScenarioScore) => void;
}

interface Scored<S extends Named> {
  readonly help: string;
  readonly themes: readonly ThemeOf<S>[];
  readonly what: "agent" | "host";
  /** What the JSON report says about the program. */
  readonly subject: (command: readonly string[]) => object;
  readonly score: (scoring: Scoring<S>) => Promise<readonly ScenarioScore[]>;
}

/** Carries out a command line: prints help, lists the scenarios, or scores a program; resolves to the exit code. */
export async function scoreProgram<S extends Named>(
  given: Given,
  environment: NodeJS.ProcessEnv,
  scored: Scored<S>,
): Promise<number> {
  const { values, positionals, command } = given;
  const themes = choose(scored.themes, values.theme, positionals);
  if (values.help) return print(scored.help);
  if (values.list) return print(listing(themes));
  checkCommand(scored.what, command, environment.PATH);

  const stop = stopSignal();
  const outcomes = await scored.score({
    themes,
    command,
    environment,
    jobs: positive("--jobs", values.jobs),
    limitMs: 1000 * positive("--timeout", values.timeout),
    signal: stop.signal,
    onOutcome: (outcome) => {
      if (!values.json) print(printOutcome(outcome, values.all));
    },
  });
  if (stop.signal.aborted) return stop.exitCode();
  return reportScore(scored.what, scored.subject(command), outcomes, values);
}
