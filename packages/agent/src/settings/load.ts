import { isDeepStrictEqual } from "node:util";
import { isMissing } from "@agentwire/local/files";
import {
  checkSettings,
  mergeSettings,
  restrictionsIn,
  type SettingsFolders,
  strongestPolicy,
} from "@agentwire/local/settings";
import type { JsonObject } from "@agentwire/protocol";
import { type Followed, realPath } from "../files/real-path.ts";
import { type Contents, fileOrigin, flagOrigin, type Origin, readOrigin } from "./origin.ts";
import { rewriteSettings } from "./rewrite.ts";
import type { ForeignChange, Settings, SettingsError, SettingsFile, WritableSource } from "./settings.ts";
import { createTrust, type Trust } from "./trust.ts";
import { untrustedSettings, type Withheld } from "./untrusted.ts";

const SOURCES: ReadonlyMap<string, WritableSource> = new Map([
  ["user", "userSettings"],
  ["project", "projectSettings"],
  ["local", "localSettings"],
]);

/** The sources selected by `--setting-sources`, from weakest to strongest: all without the flag, none if it is empty. */
function chooseSources(flag: string | undefined): {
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

/** The options that decide where settings come from. */
export interface SettingsOptions extends SettingsFolders {
  /** `--setting-sources`; absent: all. */
  readonly sources?: string;
  /** `--settings`: JSON text or a path. */
  readonly flag?: string;
  /** `--managed-settings`: JSON text. */
  readonly managed?: string;
  /** Folders that the command line trusts. */
  readonly trusted?: readonly string[];
  readonly home: string;
  /** The user's `.claude.json`. */
  readonly userFile: string;
  /** The folder of the administrator's settings. */
  readonly policyFolder: string;
}

/** Reads all settings of a session. Never rejects: unreadable settings are listed in `errors`. */
export async function loadSettings(options: SettingsOptions): Promise<Settings> {
  const { sources, unknown } = chooseSources(options.sources);
  const origins = originsOf(options, sources);
  const followed: Followed = new Map();
  const { cwd, configDir } = options;
  // Check these folders first: other lookups then only touch disks that respond.
  await Promise.allSettled([realPath(cwd, followed), realPath(configDir, followed)]);
  const contents = await Promise.all(origins.map(readOrigin));
  const trust = createTrust({
    ...options,
    given: options.trusted ?? [],
    listed: await trustedFolders(options, contents, sources),
  });
  const isTrusted = await trust.trusts(cwd, followed);
  return new LoadedSettings(options, { trust, isTrusted }, origins, contents, unknown);
}

/** The user's own list applies even if the host excludes user settings: it concerns the user's machine. */
async function trustedFolders(
  options: SettingsOptions,
  contents: readonly Contents[],
  sources: readonly WritableSource[],
): Promise<readonly string[]> {
  const isRead = sources.includes("userSettings");
  const own = isRead ? [] : [await readOrigin(fileOrigin("userSettings", options))];
  return [...own, ...contents].flatMap(({ file }) => {
    const list = file && !isOfProject(file) ? file.settings.trustedFolders : [];
    return Array.isArray(list) ? list.filter((path) => typeof path === "string") : [];
  });
}

const isOfProject = ({ source }: SettingsFile) => source === "projectSettings" || source === "localSettings";

function originsOf(options: SettingsOptions, sources: readonly WritableSource[]): readonly Origin[] {
  const { cwd, flag, managed, policyFolder } = options;
  const policy = { source: "policySettings", root: cwd } as const;
  return [
    ...sources.map((source) => fileOrigin(source, options)),
    ...(flag === undefined ? [] : [flagOrigin(flag, cwd)]),
    ...(managed === undefined ? [] : [{ ...policy, flag: "--managed-settings", text: managed }]),
    { ...policy, folder: policyFolder },
  ];
}

const isPolicy = ({ source }: SettingsFile) => source === "policySettings";

/** The policy in effect: the strongest of the host's and the administrator's; the host's can only restrict. */
function policyOf(policies: readonly SettingsFile[]): readonly SettingsFile[] {
  const strongestFirst = policies
    .map((file) => (file.path === undefined ? { ...file, settings: restrictionsIn(file.settings) } : file))
    .reverse();
  return [strongestPolicy(strongestFirst) ?? strongestFirst[0]].filter((file) => file !== undefined);
}

class LoadedSettings implements Settings {
  readonly trust: Trust;
  readonly isTrusted: boolean;
  readonly #folders: SettingsFolders;
  readonly #origins: readonly Origin[];
  readonly #contents: Contents[];
  /** Counts the reads, and records for each origin the read that its contents come from. */
  #reads = 0;
  readonly #readAt: number[];
  readonly #flagErrors: readonly SettingsError[];
  /** The host's overlay on the flag's settings. */
  #overlay: JsonObject = {};
  #writes: Promise<void> = Promise.resolve();
  #files: readonly SettingsFile[] = [];
  #effective: JsonObject = {};
  #withheld: readonly Withheld[] = [];

  constructor(
    folders: SettingsFolders,
    { trust, isTrusted }: Pick<Settings, "trust" | "isTrusted">,
    origins: readonly Origin[],
    contents: readonly Contents[],
    flagErrors: readonly SettingsError[],
  ) {
    this.trust = trust;
    this.isTrusted = isTrusted;
    this.#folders = folders;
    this.#origins = origins;
    this.#contents = [...contents];
    this.#readAt = contents.map(() => 0);
    this.#flagErrors = flagErrors;
    this.#refresh();
  }

  get files(): readonly SettingsFile[] {
    return this.#files;
  }

  get effective(): JsonObject {
    return this.#effective;
  }

  get withheld(): readonly Withheld[] {
    return this.#withheld;
  }

  get errors(): readonly SettingsError[] {
    return [...this.#flagErrors, ...this.#contents.flatMap(({ errors }) => errors)];
  }

  applyFlagSettings(settings: JsonObject): readonly SettingsError[] {
    const isCleared = ([, value]: readonly [string, unknown]) => value === null;
    const given = Object.entries(settings);
    const checked = checkSettings(Object.fromEntries(given.filter((entry) => !isCleared(entry))));
    if (checked.faults.length > 0)
      return checked.faults.map(({ key, message }) => ({ path: "apply_flag_settings", key, message }));
    const kept = Object.entries(this.#overlay).filter(([key]) => !Object.hasOwn(settings, key));
    this.#overlay = Object.fromEntries([...kept, ...Object.entries(checked.settings)]);
    this.#refresh();
    return [];
  }

  update(source: WritableSource, change: (settings: JsonObject) => JsonObject): Promise<void> {
    const write = this.#writes.then(() => this.#rewrite(source, change));
    // One failed write must not fail those queued after it.
    this.#writes = write.catch(() => {});
    return write;
  }

  get paths(): readonly string[] {
    return this.#contents.flatMap(({ paths }) => paths);
  }

  async lookAgain(path: string): Promise<ForeignChange | undefined> {
    // The agent's own writes are not changes by another program.
    await this.#writes;
    const at = this.#contents.findIndex(({ paths }) => paths.includes(path));
    const origin = this.#origins[at];
    const known = this.#contents[at];
    if (!origin || !known) return undefined;
    const readAt = ++this.#reads;
    const isStillMissing = !known.file && known.errors.length === 0 && isMissing(path);
    const now = isStillMissing ? known : await readOrigin(origin);
    if (isDeepStrictEqual(now, known)) {
      this.#readAt[at] = readAt;
      return undefined;
    }
    if (!now.file && now.errors.length > 0) return { kind: "unusable", errors: now.errors };
    const take = () => {
      // A newer version may have been applied while a hook judged this one.
      if (readAt > (this.#readAt[at] ?? 0)) this.#put(at, now, readAt);
    };
    return { kind: "changed", source: origin.source, take };
  }

  async #rewrite(source: WritableSource, change: (settings: JsonObject) => JsonObject): Promise<void> {
    await rewriteSettings(fileOrigin(source, this.#folders).path, change);
    const at = this.#origins.findIndex((origin) => origin.source === source);
    const origin = this.#origins[at];
    if (!origin) return;
    const readAt = ++this.#reads;
    this.#put(at, await readOrigin(origin), readAt);
  }

  #put(at: number, contents: Contents, readAt: number): void {
    this.#contents[at] = contents;
    this.#readAt[at] = readAt;
    this.#refresh();
  }

  /** The settings of a file that apply. */
  #applicable(file: SettingsFile, withheld: Withheld[]): SettingsFile {
    if (this.isTrusted || !isOfProject(file)) return file;
    const applicable = untrustedSettings(file.settings);
    withheld.push(...applicable.withheld.map((what) => ({ path: file.path ?? "", what })));
    return { ...file, settings: applicable.settings };
  }

  #refresh(): void {
    const withheld: Withheld[] = [];
    const read = this.#contents.flatMap(({ file }) => (file ? [this.#applicable(file, withheld)] : []));
    this.#withheld = withheld;
    const below = read.filter((file) => !isPolicy(file));
    this.#files = [...this.#withOverlay(below), ...policyOf(read.filter(isPolicy))];
    this.#effective = mergeSettings(this.#files.map(({ settings }) => settings));
  }

  /** Merges the settings that the host gave by flag and later. */
  #withOverlay(read: readonly SettingsFile[]): readonly SettingsFile[] {
    if (Object.keys(this.#overlay).length === 0) return read;
    const given = read.filter(({ source }) => source === "flagSettings");
    const flag: SettingsFile = {
      source: "flagSettings",
      root: this.#folders.cwd,
      ...given[0],
      settings: mergeSettings([...given.map(({ settings }) => settings), this.#overlay]),
    };
    return [...read.filter((file) => !given.includes(file)), flag];
  }
}
