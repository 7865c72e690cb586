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

/** The settings of one file or flag. This agent uses the parts it knows; the rest is kept for requests. */
export interface SettingsFile {
  readonly source: SettingsSource;
  /** The file; absent for flags. */
  readonly path?: string;
  /** The folder that `/rel` patterns in its rules are relative to. */
  readonly root: string;
  readonly settings: JsonObject;
}

/** A fault in a settings file or flag. */
export interface SettingsError {
  /** The file, or the flag. */
  readonly path: string;
  /** The setting, such as `permissions.allow`; absent if the fault is about the whole file. */
  readonly key?: string;
  readonly message: string;
}

/** A settings file that another program has changed. */
export type ForeignChange =
  | {
      readonly kind: "changed";
      readonly source: SettingsSource;
      /** Puts it into effect. */
      take(): void;
    }
  | { readonly kind: "unusable"; readonly errors: readonly SettingsError[] };

/** All settings of a session. They are read at the start, after the agent changes a file, and on request. */
export interface Settings {
  /** From weakest to strongest; only the sources the host asked for. */
  readonly files: readonly SettingsFile[];
  /** The merged view: objects merged, lists joined without duplicates, stronger scalars win. */
  readonly effective: JsonObject;
  /** The folders that the user trusts. */
  readonly trust: Trust;
  /** Whether the user trusts the folder of the project. */
  readonly isTrusted: boolean;
  /** The parts of the project's files that are ignored because their folder is not trusted. */
  readonly withheld: readonly Withheld[];
  /** Faults in the files and flags; they are reported, not ignored. */
  readonly errors: readonly SettingsError[];
  /**
   * Overlays settings on those given by flag (`apply_flag_settings`): a key replaces the overlay's earlier value, null removes
   * it, and the flag's own settings are merged with the overlay. If the settings are faulty, nothing is applied and the faults
   * are returned.
   */
  applyFlagSettings(settings: JsonObject): readonly SettingsError[];
  /** Rewrites one file atomically, creating it if needed; rejects if the file can't be read, to avoid losing its content. */
  update(source: WritableSource, change: (settings: JsonObject) => JsonObject): Promise<void>;
  /** The files whose changes `lookAgain` can detect. */
  readonly paths: readonly string[];
  /** Checks whether another program has changed a file. An unusable change leaves the earlier settings in effect. */
  lookAgain(path: string): Promise<ForeignChange | undefined>;
}
