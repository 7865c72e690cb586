import type { SettingsError, WritableSource } from "./settings.ts";

const SOURCES: ReadonlyMap<string, WritableSource> = new Map([
  ["user", "userSettings"],
  ["project", "projectSettings"],
  ["local", "localSettings"],
]);

/** The files that `--setting-sources` asks for, from weakest to strongest: all without the flag, none with an empty one. */
export function chooseSources(flag: string | undefined): {
  readonly sources: readonly WritableSource[];
  readonly unknown: readonly SettingsError[];
} {
  if (flag === undefined) return { sources: [...SOURCES.values()], unknown: [] };
  const names = flag
    .split(",")
    .map((name) => name.trim())
    .filter((name) => name !== "");
  return {
    sources: [...SOURCES].flatMap(([name, source]) => (names.includes(name) ? [source] : [])),
    unknown: names
      .filter((name) => !SOURCES.has(name))
      .map((name) => ({ path: "--setting-sources", message: `has no source named ${name}` })),
  };
}
