import type { InputOf } from "./base.ts";

/** Why a session can end. */
export const EXIT_REASONS = ["clear", "resume", "logout", "prompt_input_exit", "other"] as const;

/** Why a session ended. */
export type ExitReason = (typeof EXIT_REASONS)[number];

/** A session begins or continues. */
export type SessionStartHookInput = InputOf<
  "SessionStart",
  {
    source: "startup" | "resume" | "clear" | "compact" | "fork";
    agent_type?: string;
    model?: string;
    session_title?: string;
    seconds_since_last_response?: number;
    context_tokens?: number;
    prompt_cache_likely_expired?: boolean;
    estimated_cache_write_usd?: number;
  }
>;

/** A session ends. */
export type SessionEndHookInput = InputOf<"SessionEnd", { reason: ExitReason }>;

/** A project is set up. */
export type SetupHookInput = InputOf<"Setup", { trigger: "init" | "maintenance" }>;

/** The conversation is about to be summarized. */
export type PreCompactHookInput = InputOf<
  "PreCompact",
  { trigger: "manual" | "auto"; custom_instructions: string | null }
>;

/** The conversation has been summarized. */
export type PostCompactHookInput = InputOf<
  "PostCompact",
  { trigger: "manual" | "auto"; compact_summary: string }
>;

type ModelSwitch<Source extends string> = {
  from_model: string;
  to_model: string;
  requested_model: string | null;
  source: Source;
  context_tokens: number;
  prompt_cache_warm: boolean;
  cache_ttl: "5m" | "1h";
  estimated_cache_write_usd: number;
  pricing: "configured" | "catalog" | "default";
};

/** The model is about to change. */
export type PreModelSwitchHookInput = InputOf<"PreModelSwitch", ModelSwitch<"command" | "picker" | "sdk">>;

/** The model has changed. */
export type PostModelSwitchHookInput = InputOf<
  "PostModelSwitch",
  ModelSwitch<"command" | "picker" | "sdk" | "auto" | "resume">
>;

/** A settings file has changed. */
export type ConfigChangeHookInput = InputOf<
  "ConfigChange",
  {
    source: "user_settings" | "project_settings" | "local_settings" | "policy_settings" | "skills";
    file_path?: string;
  }
>;

/** A file of instructions has been read. */
export type InstructionsLoadedHookInput = InputOf<
  "InstructionsLoaded",
  {
    file_path: string;
    memory_type: "User" | "Project" | "Local" | "Managed";
    load_reason: "session_start" | "nested_traversal" | "path_glob_match" | "include" | "compact";
    globs?: string[];
    trigger_file_path?: string;
    parent_file_path?: string;
  }
>;
