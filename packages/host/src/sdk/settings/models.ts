import type { EffortLevel } from "../agents.ts";

type KeptEffort = Exclude<EffortLevel, "max">;
type CacheTtl = "5m" | "1h";

/** The settings for the model and its cost. */
export interface SettingsOfModels {
  advisorModel?: string;
  alwaysThinkingEnabled?: boolean;
  autoCompactEnabled?: boolean;
  autoCompactWindow?: number;
  availableModels?: string[];
  availableModelsMatch?: "prefix" | "exact";
  deniedModels?: string[];
  effortLevel?: KeptEffort;
  enforceAvailableModels?: boolean;
  fallbackModel?: string[];
  fastMode?: boolean;
  fastModePerSessionOptIn?: boolean;
  idleCompaction?: boolean;
  maxEffortLevel?: EffortLevel;
  model?: string;
  modelOverrides?: { [model: string]: string };
  modelPicker?: {
    options: { model: string; label?: string; description?: string; behavesAs?: string }[];
    replaceBuiltInOptions?: boolean;
  };
  modelPricing?: {
    multiplier?: number;
    overrides?: {
      [model: string]: { input: number; output: number; cacheRead: number; cacheWrite: number };
    };
  };
  modelSettings?: {
    [model: string]: {
      effortLevel?: KeptEffort;
      maxEffortLevel?: EffortLevel;
      autoCompactWindow?: "auto" | number;
      [key: string]: unknown;
    };
  };
  precomputeCompactionEnabled?: boolean;
  promptCacheTtl?: CacheTtl;
  subagentPromptCacheTtl?: CacheTtl;
  switchModelsOnFlag?: boolean;
  ultracode?: boolean;
}
