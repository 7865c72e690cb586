import type { DeniedModelsMatch } from "../sdk/resolved-settings.ts";

const FAMILIES: ReadonlySet<string> = new Set(["fable", "haiku", "opus", "sonnet"]);
/** Names that refer to a different model in each release. */
const ALIASES: ReadonlySet<string> = new Set(["best", "default", "inherit", "opusplan"]);

const TODAY = /claude-([a-z]+)-(\d{1,2})(?:-(\d{1,2}))?(?!\d)/;
const BEFORE = /claude-(\d{1,2})(?:-(\d{1,2}))?-([a-z]+)/;

interface ModelName {
  readonly family: string;
  readonly major: string;
  /** Absent in an entry: all minor versions; in a model: the first one. */
  readonly minor?: string | undefined;
}

type Entry = (model: string) => boolean;

/** Which of the given models a deny list names. An agent may deny more, so no permission may be based on the result. */
export async function matchDeniedModels(
  models: readonly string[],
  deniedModels: readonly string[] | undefined,
): Promise<DeniedModelsMatch> {
  const warnings: string[] = [];
  const given: readonly unknown[] = Array.isArray(models) ? models : [];
  const entries: readonly unknown[] = Array.isArray(deniedModels) ? deniedModels : [];
  if (deniedModels !== undefined && !Array.isArray(deniedModels)) {
    warnings.push("deniedModels is not a list of model names: it blocks nothing");
  }
  const blocked = entries.flatMap((entry) => readEntry(entry, (warning) => warnings.push(warning)) ?? []);
  if (!Array.isArray(models)) warnings.push("models is not a list of model names: nothing was matched");
  if (given.some((model) => typeof model !== "string")) {
    warnings.push("models has an entry that is not a model name: it was not matched");
  }
  const denied = given.map(
    (model) => typeof model === "string" && blocked.some((blocks) => blocks(plain(model))),
  );
  return { denied, warnings: [...new Set(warnings)] };
}

function readEntry(entry: unknown, warn: (text: string) => void): Entry | undefined {
  const name = typeof entry === "string" ? plain(entry) : "";
  if (name === "") {
    warn("deniedModels has an entry that is not a model name: it was ignored");
    return undefined;
  }
  if (ALIASES.has(name)) {
    warn(`deniedModels names ${name}, which names a different model in each release: it was ignored`);
    return undefined;
  }
  if (FAMILIES.has(name)) return (model) => familyOf(model) === name;
  const named = nameIn(name) ?? nameIn(`claude-${name}`);
  if (named) return (model) => isSame(named, nameIn(model));
  warn(`deniedModels has ${name}, which blocks only a model of exactly this name`);
  return (model) => model === name;
}

/** A name without its context size suffix. */
const plain = (model: string) =>
  model
    .trim()
    .toLowerCase()
    .replace(/\[[^\]]*\]$/, "")
    .trim();

function nameIn(text: string): ModelName | undefined {
  const [, family, major, minor] = TODAY.exec(text) ?? [];
  if (family !== undefined && major !== undefined) return { family, major, minor };
  const [, oldMajor, oldMinor, oldFamily] = BEFORE.exec(text) ?? [];
  if (oldFamily === undefined || oldMajor === undefined) return undefined;
  return { family: oldFamily, major: oldMajor, minor: oldMinor };
}

const familyOf = (model: string) =>
  nameIn(model)?.family ?? model.split(/[^a-z]+/).find((word) => FAMILIES.has(word));

const isSame = (entry: ModelName, model: ModelName | undefined) =>
  entry.family === model?.family &&
  entry.major === model.major &&
  (entry.minor === undefined || entry.minor === (model.minor ?? "0"));
