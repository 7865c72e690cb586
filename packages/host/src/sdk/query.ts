import type { PermissionMode } from "@agentwire/protocol/permission";
import type { AgentDefinition, AgentInfo, EffortLevel } from "./agents.ts";
import type { AccountInfo, ModelInfo, SdkPluginConfig, SlashCommand } from "./catalog.ts";
import type {
  RewindFilesResult,
  SDKControlInitializeResponse,
  SDKControlInterruptResponse,
  SDKControlMcpReadResourceResponse,
  SDKControlReadFileResponse,
  SDKControlReloadOutputStylesResponse,
  SDKControlReloadPluginsResponse,
  SDKControlReloadSkillsResponse,
} from "./control-answers.ts";
import type { SDKUserMessage } from "./conversation-messages.ts";
import type { McpServerConfig, McpServerStatus, McpSetServersResult } from "./mcp.ts";
import type { SDKMessage } from "./messages.ts";
import type { Settings } from "./settings.ts";
import type { SDKControlGetContextUsageResponse, SDKControlGetUsageResponse } from "./usage-answers.ts";

/** One prompt, or prompts as they come. */
export type Prompt = string | AsyncIterable<SDKUserMessage>;

/** Settings for one session; null resets a value. */
export type FlagSettings = {
  [Key in keyof Settings]?: Key extends "effortLevel" ? EffortLevel | null : Settings[Key] | null;
};

/** The messages of a session as they come, and the requests to its running agent. */
export interface Query extends AsyncGenerator<SDKMessage, void> {
  /** Stops the turn; the session continues. */
  interrupt(): Promise<SDKControlInterruptResponse | undefined>;
  setPermissionMode(mode: PermissionMode): Promise<void>;
  setMcpPermissionModeOverride(
    serverName: string,
    mode: "default" | "auto" | null,
  ): Promise<{ warning?: string }>;
  /** Without a model, switches to the default one. */
  setModel(model?: string): Promise<void>;
  setMaxThinkingTokens(
    maxThinkingTokens: number | null,
    thinkingDisplay?: "summarized" | "omitted" | "highlights" | null,
  ): Promise<void>;
  applyFlagSettings(settings: FlagSettings): Promise<void>;
  updateSettings(source: "localSettings" | "userSettings", settings: Record<string, unknown>): Promise<void>;
  /** What the agent reported about itself when it was set up. */
  initializationResult(): Promise<SDKControlInitializeResponse>;
  /** Sets the agent up again. */
  reinitialize(): Promise<SDKControlInitializeResponse>;
  supportedCommands(): Promise<SlashCommand[]>;
  supportedModels(): Promise<ModelInfo[]>;
  supportedAgents(): Promise<AgentInfo[]>;
  mcpServerStatus(): Promise<McpServerStatus[]>;
  getContextUsage(opts?: { detail?: "summary" | "full" }): Promise<SDKControlGetContextUsageResponse>;
  usage_EXPERIMENTAL_MAY_CHANGE_DO_NOT_RELY_ON_THIS_API_YET(opts?: {
    skipBehaviors?: boolean;
  }): Promise<SDKControlGetUsageResponse>;
  readFile(
    path: string,
    options?: { maxBytes?: number; encoding?: "utf-8" | "base64" },
  ): Promise<SDKControlReadFileResponse | null>;
  reloadPlugins(options?: {
    holdOnCacheImpact?: boolean;
    addPlugins?: SdkPluginConfig[];
    refuseIfBusy?: boolean;
  }): Promise<SDKControlReloadPluginsResponse>;
  reloadSkills(): Promise<SDKControlReloadSkillsResponse>;
  reloadOutputStyles(): Promise<SDKControlReloadOutputStylesResponse>;
  accountInfo(): Promise<AccountInfo>;
  /** Restores the files to their state before this prompt. */
  rewindFiles(userMessageId: string, options?: { dryRun?: boolean }): Promise<RewindFilesResult>;
  seedReadState(path: string, mtime: number): Promise<void>;
  reconnectMcpServer(serverName: string): Promise<void>;
  toggleMcpServer(serverName: string, enabled: boolean): Promise<void>;
  readMcpResource(serverName: string, uri: string): Promise<SDKControlMcpReadResourceResponse>;
  /** Replaces the servers that the host added. */
  setMcpServers(servers: Record<string, McpServerConfig>): Promise<McpSetServersResult>;
  /** Sends prompts until there are no more. */
  streamInput(stream: AsyncIterable<SDKUserMessage>): Promise<void>;
  stopTask(taskId: string): Promise<void>;
  /** Moves running work to the background; false if there was nothing to move. */
  backgroundTasks(toolUseId?: string): Promise<boolean>;
  /** Ends the agent. */
  close(): void;
}

/** An agent that is set up and waits for its one query. */
export interface WarmQuery extends AsyncDisposable {
  query(prompt: Prompt): Query;
  close(): void;
}

/** The options that a spare gets with its session. */
export type ClaimOptions = {
  cwd: string;
  env?: Record<string, string>;
  additionalDirectories?: string[];
  model?: string;
  permissionMode?: PermissionMode;
  maxThinkingTokens?: number | null;
  settings?: FlagSettings;
  appendSystemPrompt?: string;
  title?: string;
  agents?: Record<string, AgentDefinition>;
};

/** A spare: an agent that waits for a query whose folder and options are not known yet. */
export interface SpareProcess extends AsyncDisposable {
  claim(params: { prompt: Prompt; options: ClaimOptions }): Query;
  readonly claimed: Promise<{
    cwd: string;
    sessionId: string;
    parkedMs?: number;
    sdkMcpSettled: boolean;
  }>;
  readonly exited: Promise<void>;
  close(): void;
}
