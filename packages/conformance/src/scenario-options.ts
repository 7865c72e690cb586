import { resolve } from "node:path";
import { isThere, positive, UsageError } from "./options.ts";
import type { Theme } from "./scenarios/scenario.ts";

/** The options of every command that plays the scenarios with an agent. */
export const SCENARIO_OPTIONS = {
  help: { type: "boolean", short: "h", default: false },
  list: { type: "boolean", default: false },
  fast: { type: "boolean", default: false },
  theme: { type: "string", multiple: true, default: [] as string[] },
  jobs: { type: "string", default: "1" },
  timeout: { type: "string", default: "40" },
  out: { type: "string" },
} as const;

interface GivenOptions {
  readonly fast: boolean;
  readonly theme: readonly string[];
  readonly jobs: string;
  readonly timeout: string;
  readonly out?: string;
}

/** Which scenarios to play, and how. */
export interface ScenarioOptions {
  readonly themes: readonly Theme[];
  readonly jobs: number;
  readonly limitMs: number;
  /** The folder for the transcripts. */
  readonly out?: string;
}

/** Reads the values of `SCENARIO_OPTIONS` and the names of scenarios. */
export function readScenarioOptions(
  given: GivenOptions,
  names: readonly string[],
  themes: readonly Theme[],
  cwd: string,
): ScenarioOptions {
  return {
    themes: choose(themes, given.theme, names).map((theme) => ({
      ...theme,
      scenarios: theme.scenarios.filter(({ slow }) => !(given.fast && slow)),
    })),
    jobs: positive("--jobs", given.jobs),
    limitMs: 1000 * positive("--timeout", given.timeout),
    ...(given.out !== undefined && { out: resolve(cwd, given.out) }),
  };
}

/** The themes whose required programs are installed; the others are reported to `tell`. */
export function playable(
  themes: readonly Theme[],
  path: string | undefined,
  tell: (text: string) => void,
): readonly Theme[] {
  return themes.filter(({ name, needs = [], scenarios }) => {
    const missing = needs.filter((program) => !isThere(program, path));
    if (missing.length > 0 && scenarios.length > 0)
      tell(`${name}: skipped because it requires ${missing.join(" and ")}\n`);
    return missing.length === 0;
  });
}

/** The name and description of a scenario. */
export interface Named {
  readonly name: string;
  readonly about: string;
  readonly slow?: true;
}

/** Scenarios about one subject. */
export interface ThemeOf<S extends Named> {
  readonly name: string;
  readonly needs?: readonly string[];
  readonly scenarios: readonly S[];
}

/** The scenarios of the given themes and names; all scenarios if neither are given. */
export function choose<S extends Named>(
  themes: readonly ThemeOf<S>[],
  wantedThemes: readonly string[],
  wantedNames: readonly string[],
): readonly ThemeOf<S>[] {
  const known = new Set(themes.flatMap(({ scenarios }) => scenarios.map(({ name }) => name)));
  for (const name of wantedNames) if (!known.has(name)) throw new UsageError(`unknown scenario ${name}`);
  for (const name of wantedThemes) {
    if (!themes.some((theme) => theme.name === name)) throw new UsageError(`unknown theme ${name}`);
  }
  return themes
    .filter(({ name }) => wantedThemes.length === 0 || wantedThemes.includes(name))
    .map((theme) => ({
      ...theme,
      scenarios: theme.scenarios.filter(
        (scenario) => wantedNames.length === 0 || wantedNames.includes(scenario.name),
      ),
    }));
}

/** The scenarios, one per line. */
export function listing(themes: readonly ThemeOf<Named>[]): string {
  const line = (theme: string, name: string, about: string) =>
    `${theme.padEnd(12)} ${name.padEnd(36)} ${about}\n`;
  return themes
    .flatMap((theme) =>
      theme.scenarios.map(({ name, about, slow }) => line(theme.name, name, about + (slow ? " (slow)" : ""))),
    )
    .join("");
}
