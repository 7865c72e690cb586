import type { JsonObject } from "@agentwire/protocol";
import type { Trust } from "./trust.ts";
import type { Withheld } from "./untrusted.ts";

/** Where settings come from, from weakest to strongest. */
export type SettingsSource =
  | "userSettings"
  | "projectSettings"
  | "localSettings"
  | "flagSettings"
  | "policySettings";

/** The sources whose files this agent may change. */
export type WritableSource = "userSettings" | "projectSettings" | "localSettings";

/** The settings of one file or flag, as far as this agent reads them; the rest is kept for requests. */
export interface SettingsFile {
  readonly source: SettingsSource;
  /** The file; absent for flags. */
  readonly path?: string;
  /** The folder that `/rel` patterns in its rules start from. */
  readonly root: string;
  readonly settings: JsonObject;
}

/** What is wrong with a settings file or flag. */
export interface SettingsError {
  /** The file, or the flag. */
  readonly path: string;
  /** The setting, such as `permissions.allow`; absent when the whole file is meant. */
  readonly key?: string;
  readonly message: string;
}

/** A settings file that is not what it was. */
export type ForeignChange =
  | {
      readonly kind: "changed";
      readonly source: SettingsSource;
      /** Lets it count from now on. */
      take(): void;
    }
  | { readonly kind: "unusable"; readonly errors: readonly SettingsError[] };

/** All settings of a session. They are read at the start, after a file is changed through us, and on request. */
export interface Settings {
  /** From weakest to strongest; only the sources the host asked for. */
  readonly files: readonly SettingsFile[];
  /** The merged view: objects merged, lists joined without doubles, stronger scalars win. */
  readonly effective: JsonObject;
  /** Whom the user trusts. */
  readonly trust: Trust;
  /** Whether the user trusts the folder of the project. */
  readonly isTrusted: boolean;
  /** Parts of the project's files that are ignored because their folder is not trusted. */
  readonly withheld: readonly Withheld[];
  /** What is wrong with a file, told instead of ignored. */
  readonly errors: readonly SettingsError[];
  /**
   * Lays settings over those given by flag (`apply_flag_settings`), as a layer of its own: a key replaces what was laid over before
   * under that name, null takes it away, and the flag's own settings are merged with what there is.
   * When something is wrong with them nothing is applied, and what is wrong is the answer.
   */
  applyFlagSettings(settings: JsonObject): readonly SettingsError[];
  /** Changes one file under its lock-free atomic rewrite, creating it if needed; rejects rather than lose what it can't read. */
  update(source: WritableSource, change: (settings: JsonObject) => JsonObject): Promise<void>;
  /** The files that may be looked at again. */
  readonly paths: readonly string[];
  /** Checks whether another program has changed a file. A change that can't be used is ignored: the earlier settings stay. */
  lookAgain(path: string): Promise<ForeignChange | undefined>;
}
