import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { parseArgs } from "node:util";
import type { Theme } from "./scenarios/scenario.ts";

/** What the command line asks for. */
export interface Options {
  readonly help: boolean;
  readonly list: boolean;
  readonly command: readonly string[];
  readonly themes: readonly Theme[];
  readonly jobs: number;
  readonly limitMs: number;
  /** Prints a report for programs in the place of the table. */
  readonly json: boolean;
  /** Prints every difference. */
  readonly all: boolean;
  /** Where the transcripts go. */
  readonly out?: string;
}

/** The command line is wrong. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}

/** Reads the command line: options and scenarios before `--`, the agent's command behind it. */
export function parseOptions(argv: readonly string[], themes: readonly Theme[], cwd: string): Options {
  const end = argv.indexOf("--");
  const own = end < 0 ? argv : argv.slice(0, end);
  const command = end < 0 ? [] : argv.slice(end + 1);
  const { values, positionals: names } = parse(own);
  return {
    help: values.help,
    list: values.list,
    command: absolute(command, cwd),
    themes: choose(themes, values.theme, names, values.fast),
    jobs: positive("--jobs", values.jobs),
    limitMs: 1000 * positive("--timeout", values.timeout),
    json: values.json,
    all: values.all,
    ...(values.out !== undefined && { out: resolve(cwd, values.out) }),
  };
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        help: { type: "boolean", short: "h", default: false },
        list: { type: "boolean", default: false },
        json: { type: "boolean", default: false },
        all: { type: "boolean", default: false },
        fast: { type: "boolean", default: false },
        theme: { type: "string", multiple: true, default: [] },
        jobs: { type: "string", default: "1" },
        timeout: { type: "string", default: "40" },
        out: { type: "string" },
      },
    });
  } catch (cause) {
    throw new UsageError((cause as Error).message, { cause });
  }
}

function positive(option: string, text: string): number {
  const value = Number(text);
  if (Number.isInteger(value) && value > 0) return value;
  throw new UsageError(`${option} takes a whole number above 0, not ${text}`);
}

/** The scenarios of these themes and names; all of them where none are given. */
function choose(
  themes: readonly Theme[],
  wantedThemes: readonly string[],
  wantedNames: readonly string[],
  fast: boolean,
): readonly Theme[] {
  const known = new Set(themes.flatMap(({ scenarios }) => scenarios.map(({ name }) => name)));
  for (const name of wantedNames) if (!known.has(name)) throw new UsageError(`there is no scenario ${name}`);
  for (const name of wantedThemes) {
    if (!themes.some((theme) => theme.name === name)) throw new UsageError(`there is no theme ${name}`);
  }
  return themes
    .filter(({ name }) => wantedThemes.length === 0 || wantedThemes.includes(name))
    .map(({ name, scenarios }) => ({
      name,
      scenarios: scenarios.filter(
        (scenario) =>
          (wantedNames.length === 0 || wantedNames.includes(scenario.name)) && !(fast && scenario.slow),
      ),
    }));
}

/** The agent runs in another folder: words that name files of this one are made absolute. */
function absolute(command: readonly string[], cwd: string): readonly string[] {
  return command.map((word, index) => {
    const isLookedUp = index === 0 && !word.includes("/");
    return !isLookedUp && existsSync(resolve(cwd, word)) ? resolve(cwd, word) : word;
  });
}
