import type { HookEvent } from "@agentwire/protocol/hooks";
import type { PermissionMode } from "@agentwire/protocol/permission";
import type { AgentDefinition, EffortLevel } from "./agents.ts";
import type { SdkBeta, SdkPluginConfig } from "./catalog.ts";
import type { HookCallbackMatcher } from "./hooks/callback.ts";
import type { McpServerConfig } from "./mcp.ts";
import type { CanUseTool } from "./permissions.ts";
import type { SpawnedProcess, SpawnOptions } from "./process.ts";
import type { OnElicitation, OnUserDialog } from "./questions.ts";
import type { SandboxSettings } from "./sandbox.ts";
import type { SessionStore, SessionStoreFlush } from "./sessions.ts";
import type { SettingSource, Settings } from "./settings.ts";

/** The model decides how long it thinks. */
export type ThinkingAdaptive = { type: "adaptive"; display?: "summarized" | "omitted" };

/** The model thinks, within a budget of tokens. */
export type ThinkingEnabled = { type: "enabled"; budgetTokens?: number; display?: "summarized" | "omitted" };

/** The model doesn't think. */
export type ThinkingDisabled = { type: "disabled" };

/** Whether and how long the model thinks. */
export type ThinkingConfig = ThinkingAdaptive | ThinkingEnabled | ThinkingDisabled;

/** The kinds of result that can be requested. */
export type OutputFormatType = "json_schema";

/** The fields of every kind of result. */
export type BaseOutputFormat = { type: OutputFormatType };

/** A result that conforms to a JSON schema. */
export type JsonSchemaOutputFormat = { type: "json_schema"; schema: Record<string, unknown> };

/** The kind of result that is requested. */
export type OutputFormat = JsonSchemaOutputFormat;

/** Options for individual tools. */
export type ToolConfig = { askUserQuestion?: { previewFormat?: "markdown" | "html" } };

type SystemPrompt =
  | string
  | string[]
  | { type: "custom"; prompt: string | string[]; snapshot?: boolean }
  | {
      type: "preset";
      preset: "claude_code";
      append?: string;
      excludeDynamicSections?: boolean;
      snapshot?: boolean;
    };

type Conversation = {
  /** Continues with the newest session of the folder. */
  continue?: boolean;
  /** Continues with this session. */
  resume?: string;
  /** Continues only up to this message. */
  resumeSessionAt?: string;
  /** Continues without the turn that this prompt started. */
  resumeDropsTurn?: string;
  /** Continues under a new id. */
  forkSession?: boolean;
  sessionId?: string;
  title?: string;
  /** False stores nothing on disk. */
  persistSession?: boolean;
  sessionStore?: SessionStore;
  sessionStoreFlush?: SessionStoreFlush;
  loadTimeoutMs?: number;
  enableFileCheckpointing?: boolean;
};

type Model = {
  model?: string;
  fallbackModel?: string;
  betas?: SdkBeta[];
  thinking?: ThinkingConfig;
  effort?: EffortLevel;
  maxThinkingTokens?: number;
  systemPrompt?: SystemPrompt;
  outputFormat?: OutputFormat;
};

type Limits = { maxTurns?: number; maxBudgetUsd?: number; taskBudget?: { total: number } };

type Tools = {
  tools?: string[] | { type: "preset"; preset: "claude_code" };
  allowedTools?: string[];
  disallowedTools?: string[];
  toolAliases?: Record<string, string>;
  toolConfig?: ToolConfig;
  mcpServers?: Record<string, McpServerConfig>;
  strictMcpConfig?: boolean;
  agent?: string;
  agents?: Record<string, AgentDefinition>;
  skills?: string[] | "all";
  plugins?: SdkPluginConfig[];
  pluginDelivery?: "argv" | "initialize";
};

type Permissions = {
  canUseTool?: CanUseTool;
  permissionMode?: PermissionMode;
  /** Must be true if the mode is `bypassPermissions`. */
  allowDangerouslySkipPermissions?: boolean;
  permissionPromptToolName?: string;
  permissionPrompts?: "host" | "none";
  planModeInstructions?: string;
  sandbox?: SandboxSettings;
};

type Callbacks = {
  hooks?: Partial<Record<HookEvent, HookCallbackMatcher[]>>;
  onElicitation?: OnElicitation;
  onUserDialog?: OnUserDialog;
  supportedDialogKinds?: string[];
  perTaskStopAffordance?: boolean;
  /** Called with what the agent writes to stderr. */
  stderr?: (data: string) => void;
};

type Reported = {
  includePartialMessages?: boolean;
  includeHookEvents?: boolean;
  forwardSubagentText?: boolean;
  promptSuggestions?: boolean;
  agentProgressSummaries?: boolean;
  verbatimPrompts?: boolean;
};

type Configuration = {
  settings?: string | Settings;
  managedSettings?: Settings;
  settingSources?: SettingSource[];
};

type Program = {
  abortController?: AbortController;
  cwd?: string;
  additionalDirectories?: string[];
  projectConfigRoot?: string;
  /** The whole environment of the agent, instead of the host's own. */
  env?: { [name: string]: string | undefined };
  pathToClaudeCodeExecutable?: string;
  executable?: "bun" | "deno" | "node";
  executableArgs?: string[];
  /** Flags by name without dashes; null for a flag without a value. */
  extraArgs?: Record<string, string | null>;
  spawnClaudeCodeProcess?: (options: SpawnOptions) => SpawnedProcess;
  debug?: boolean;
  debugFile?: string;
};

/** All options of a query. */
export type Options = Conversation &
  Model &
  Limits &
  Tools &
  Permissions &
  Callbacks &
  Reported &
  Configuration &
  Program;

/** Separates the parts of a system prompt that stay the same from those that change, so that the former can be cached. */
export const SYSTEM_PROMPT_DYNAMIC_BOUNDARY = "__SYSTEM_PROMPT_DYNAMIC_BOUNDARY__";
