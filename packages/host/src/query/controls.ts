import type { hostRequests, RequestOf, ResponseOf } from "@agentwire/protocol/control";
import type { PermissionMode } from "@agentwire/protocol/permission";
import type { SDKControlInterruptResponse } from "../sdk/control-answers.ts";
import type { FlagSettings, Query } from "../sdk/query.ts";

type Asks = typeof hostRequests;
type Method = Exclude<keyof Query, keyof AsyncGenerator>;
type Answered<M extends Method> = Awaited<ReturnType<Query[M]>>;

/** The requests to a running agent, under the method names of the official SDK; one request each. */
export abstract class Controls {
  /** Sends a control request as soon as the agent can accept it. */
  protected abstract ask<S extends keyof Asks & string>(
    subtype: S,
    params: RequestOf<Asks, S>,
  ): Promise<ResponseOf<Asks, S>>;

  /** Whether the agent reports which prompts an interrupt left in its queue. */
  protected abstract givesReceipts(): boolean;

  async interrupt(): Promise<SDKControlInterruptResponse | undefined> {
    const { still_queued, cancelled } = await this.ask("interrupt", {});
    if (!this.givesReceipts()) return undefined;
    return { still_queued, ...(cancelled && { cancelled }) };
  }

  async setPermissionMode(mode: PermissionMode): Promise<void> {
    await this.ask("set_permission_mode", { mode });
  }

  async setMcpPermissionModeOverride(
    serverName: string,
    mode: "default" | "auto" | null,
  ): Promise<{ warning?: string }> {
    return (await this.ask("set_mcp_permission_mode_override", { serverName, mode })) as { warning?: string };
  }

  async setModel(model?: string): Promise<void> {
    await this.ask("set_model", { model });
  }

  async setMaxThinkingTokens(
    maxThinkingTokens: number | null,
    thinkingDisplay?: "summarized" | "omitted" | "highlights" | null,
  ): Promise<void> {
    await this.ask("set_max_thinking_tokens", {
      max_thinking_tokens: maxThinkingTokens,
      thinking_display: thinkingDisplay,
    });
  }

  async applyFlagSettings(settings: FlagSettings): Promise<void> {
    await this.ask("apply_flag_settings", { settings });
  }

  async updateSettings(
    source: "localSettings" | "userSettings",
    settings: Record<string, unknown>,
  ): Promise<void> {
    await this.ask("update_settings", { source, settings });
  }

  async mcpServerStatus(): Promise<Answered<"mcpServerStatus">> {
    return (await this.ask("mcp_status", {})).mcpServers as Answered<"mcpServerStatus">;
  }

  async getContextUsage(options: { detail?: "summary" | "full" } = {}): Promise<Answered<"getContextUsage">> {
    return (await this.ask("get_context_usage", options)) as Answered<"getContextUsage">;
  }

  async usage_EXPERIMENTAL_MAY_CHANGE_DO_NOT_RELY_ON_THIS_API_YET(
    options: { skipBehaviors?: boolean } = {},
  ): Promise<Answered<"usage_EXPERIMENTAL_MAY_CHANGE_DO_NOT_RELY_ON_THIS_API_YET">> {
    const params = options.skipBehaviors ? { skip_behaviors: true } : {};
    return (await this.ask("get_usage", params)) as never;
  }

  /** Null if the agent refuses or has no such file, as in the official SDK. */
  async readFile(
    path: string,
    options: { maxBytes?: number; encoding?: "utf-8" | "base64" } = {},
  ): Promise<Answered<"readFile">> {
    const params = { path, max_bytes: options.maxBytes, encoding: options.encoding };
    try {
      return (await this.ask("read_file", params)) as Answered<"readFile">;
    } catch {
      return null;
    }
  }

  async reloadPlugins(
    options: Parameters<Query["reloadPlugins"]>[0] = {},
  ): Promise<Answered<"reloadPlugins">> {
    const { holdOnCacheImpact, addPlugins, refuseIfBusy } = options;
    const params = {
      ...(holdOnCacheImpact && { hold_on_cache_impact: true }),
      ...(addPlugins && addPlugins.length > 0 && { add_plugins: addPlugins }),
      ...(refuseIfBusy && { refuse_if_busy: true }),
    };
    return (await this.ask("reload_plugins", params)) as Answered<"reloadPlugins">;
  }

  async reloadSkills(): Promise<Answered<"reloadSkills">> {
    return (await this.ask("reload_skills", {})) as Answered<"reloadSkills">;
  }

  async reloadOutputStyles(): Promise<Answered<"reloadOutputStyles">> {
    return (await this.ask("reload_output_styles", {})) as Answered<"reloadOutputStyles">;
  }

  async rewindFiles(
    userMessageId: string,
    options: { dryRun?: boolean } = {},
  ): Promise<Answered<"rewindFiles">> {
    const params = { user_message_id: userMessageId, dry_run: options.dryRun };
    return (await this.ask("rewind_files", params)) as Answered<"rewindFiles">;
  }

  async seedReadState(path: string, mtime: number): Promise<void> {
    await this.ask("seed_read_state", { path, mtime });
  }

  async reconnectMcpServer(serverName: string): Promise<void> {
    await this.ask("mcp_reconnect", { serverName });
  }

  async toggleMcpServer(serverName: string, enabled: boolean): Promise<void> {
    await this.ask("mcp_toggle", { serverName, enabled });
  }

  async readMcpResource(serverName: string, uri: string): Promise<Answered<"readMcpResource">> {
    return (await this.ask("mcp_read_resource", { serverName, uri })) as Answered<"readMcpResource">;
  }

  async stopTask(taskId: string): Promise<void> {
    await this.ask("stop_task", { task_id: taskId });
  }

  async backgroundTasks(toolUseId?: string): Promise<boolean> {
    return (await this.ask("background_tasks", { tool_use_id: toolUseId })).backgrounded ?? true;
  }
}
