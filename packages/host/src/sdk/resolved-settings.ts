import type { SettingSource, Settings } from "./settings.ts";

/** Where an effective setting can come from. */
export type ResolvedSettingSource = SettingSource | "managed" | "flag";

/** Which of the managed sources a policy comes from. */
export type PolicySettingsOrigin = "helper" | "remote" | "plist" | "hklm" | "file" | "parent" | "hkcu";

/** Where one effective setting comes from. */
export type ProvenanceEntry = {
  source: ResolvedSettingSource;
  path?: string;
  policyOrigin?: PolicySettingsOrigin;
};

/** The settings in effect in a folder, and where they come from. */
export type ResolvedSettings = {
  effective: Settings;
  provenance: Partial<Record<keyof Settings, ProvenanceEntry>>;
  /** From the weakest to the strongest. */
  sources: (ProvenanceEntry & { settings: Settings })[];
  machinePolicy?: { didNotLoad: false | ("profile" | "registry" | "file")[] };
};

/** Which settings to resolve. */
export type ResolveSettingsOptions = {
  cwd?: string;
  settingSources?: SettingSource[];
  managedSettings?: Settings;
  serverManagedSettings?: Settings;
};

/** Which of the given models a policy blocks. */
export type DeniedModelsMatch = { denied: boolean[]; warnings: string[] };
