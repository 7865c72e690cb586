import type { AccountInfo as ReportedAccount } from "@agentwire/protocol/control";
import type { EffortLevel } from "./agents.ts";

/** A model that the session can switch to. */
export type ModelInfo = {
  value: string;
  displayName: string;
  description: string;
  resolvedModel?: string;
  supportsEffort?: boolean;
  supportedEffortLevels?: EffortLevel[];
  supportsAdaptiveThinking?: boolean;
  supportsFastMode?: boolean;
  supportsAutoMode?: boolean;
};

/** A slash command of the session. */
export type SlashCommand = {
  name: string;
  description: string;
  argumentHint: string;
  aliases?: string[];
  builtin?: boolean;
};

/** Whose credentials the agent uses, as far as it reports them. */
export type AccountInfo = Omit<ReportedAccount, "apiProvider"> & {
  apiProvider?:
    | "firstParty"
    | "bedrock"
    | "vertex"
    | "foundry"
    | "anthropicAws"
    | "anthropicGoogleCloud"
    | "mantle"
    | "gateway";
};

/** Whether replies use the fast mode. */
export type FastModeState = "off" | "cooldown" | "on";

/** Why the fast mode is unavailable. */
export type FastModeDisabledReason =
  | "free"
  | "preference"
  | "extra_usage_disabled"
  | "network_error"
  | "unknown"
  | "not_first_party"
  | "disabled_by_env"
  | "model_not_allowed"
  | "sdk_opt_in_required"
  | "pending";

/** A plugin that the session loads from a folder. */
export type SdkPluginConfig = { type: "local"; path: string; skipMcpDiscovery?: boolean };

/** A feature of the model that must be requested. */
export type SdkBeta = "context-1m-2025-08-07";

/** A fault in a settings file. */
export type SDKSettingsParseError = { file?: string; path: string; message: string };
