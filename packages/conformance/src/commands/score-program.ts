import { checkCommand, positive } from "../options.ts";
import { print } from "../print.ts";
import { printOutcome } from "../report.ts";
import { choose, listing, type Named, type ThemeOf } from "../scenario-options.ts";
import type { ScenarioScore } from "../score.ts";
import { stopSignal } from "../stop-signal.ts";
import { reportScore } from "./report-score.ts";

/** The options of the commands that score a program by what it does; each has its own `--timeout`. */
export const SCORE_OPTIONS = {
  help: { type: "boolean", short: "h", default: false },
  list: { type: "boolean", default: false },
  json: { type: "boolean", default: false },
  all: { type: "boolean", default: false },
  theme: { type: "string", multiple: true, default: [] as string[] },
  jobs: { type: "string", default: "1" },
  junit: { type: "string" },
} as const;

/** What `--help` says of them, after the options that only one command has. */
export function optionsHelp(timeout: string, more: readonly (readonly [string, string])[] = []): string {
  const all = [
    ...more,
    ["--theme <name>", "only this theme; may be repeated"],
    ["--jobs <n>", "scenarios at a time (1)"],
    ["--timeout <s>", timeout],
    ["--all", "prints every problem, and what was on stderr"],
    ["--json", "prints a report for programs"],
    ["--junit <file>", "writes a report for CI systems"],
    ["--list", "lists the scenarios"],
    ["-h, --help", "prints this"],
  ] as const;
  const width = Math.max(...all.map(([option]) => option.length)) + 4;
  const lines = all.map(([option, words]) => `  ${option.padEnd(width)}${words}\n`).join("");
  return `${lines}\nExit: 0 everything is as it should be, 1 something is not, 2 wrong usage.\n`;
}

/** A command line that was read. */
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

/** What is scored: the scenarios that were chosen, with a program, so many at a time. */
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
  /** What the program is called in a report for programs, and what else is said of it there. */
  readonly subject: (command: readonly string[]) => object;
  readonly score: (scoring: Scoring<S>) => Promise<readonly ScenarioScore[]>;
}

/** Does what a command line says: helps, lists the scenarios, or scores a program; resolves to the exit code. */
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
