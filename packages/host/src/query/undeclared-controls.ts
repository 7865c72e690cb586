import type { JsonObject } from "@agentwire/protocol";
import { Controls } from "./controls.ts";

type Answer = Promise<JsonObject>;

/** An earlier question outside the conversation, with its answer. */
interface SideQuestion {
  readonly question: string;
  readonly response: string;
}

/**
 * Methods that the official SDK's queries have but do not declare, for programs that call them anyway: one request each,
 * whose answer is returned as the agent gave it. An agent that does not know a request refuses it.
 */
export abstract class UndeclaredControls extends Controls {
  /** Sends a request that may be newer than our tables. */
  #pass(subtype: string, params: Readonly<Record<string, unknown>> = {}): Answer {
    const given = Object.entries(params).filter(([, value]) => value !== undefined);
    return this.ask(subtype as never, Object.fromEntries(given) as never) as Answer;
  }

  getSettings = (): Answer => this.#pass("get_settings");
  getHooksListing = (): Answer => this.#pass("get_hooks_listing");
  listPermissionRules = (): Answer => this.#pass("list_permission_rules");
  getStatus = (): Answer => this.#pass("get_status");
  getPlan = (): Answer => this.#pass("get_plan");
  exportConversation = (): Answer => this.#pass("export_conversation");
  getMemoryDialog = (): Answer => this.#pass("get_memory_dialog");
  getSkillsDialog = (): Answer => this.#pass("get_skills_dialog");
  getSandboxDialog = (): Answer => this.#pass("get_sandbox_dialog");
  getTaskOutput = (taskId: string): Answer => this.#pass("get_task_output", { task_id: taskId });
  mcpClearAuth = (serverName: string): Answer => this.#pass("mcp_clear_auth", { serverName });
  claudeOAuthWaitForCompletion = (): Answer => this.#pass("claude_oauth_wait_for_completion");

  mcpAuthenticate(
    serverName: string,
    redirectUri?: string,
    options: { readonly redirectUriOnly?: boolean } = {},
  ): Answer {
    return this.#pass("mcp_authenticate", {
      serverName,
      redirectUri,
      redirectUriOnly: options.redirectUriOnly,
    });
  }

  mcpSubmitOAuthCallbackUrl(serverName: string, callbackUrl: string): Answer {
    return this.#pass("mcp_oauth_callback_url", { serverName, callbackUrl });
  }

  claudeAuthenticate(loginWithClaudeAi: boolean, options: { readonly consoleProfile?: string } = {}): Answer {
    return this.#pass("claude_authenticate", { loginWithClaudeAi, consoleProfile: options.consoleProfile });
  }

  claudeOAuthCallback(authorizationCode: string, state: string): Answer {
    return this.#pass("claude_oauth_callback", { authorizationCode, state });
  }

  setCwd(
    path: string,
    options: { readonly trustAccepted?: boolean; readonly trustedDirectory?: string } = {},
  ): Answer {
    const { trustAccepted, trustedDirectory } = options;
    return this.#pass("set_cwd", {
      path,
      trust_accepted: trustAccepted,
      trusted_directory: trustedDirectory,
    });
  }

  async renameSession(title: string, sessionId?: string): Promise<void> {
    await this.#pass("rename_session", { title, source: "host", session_id: sessionId });
  }

  async generateSessionTitle(
    description: string,
    options: { readonly persist?: boolean } = {},
  ): Promise<unknown> {
    const { title } = await this.#pass("generate_session_title", { description, persist: options.persist });
    return title;
  }

  async cancelAsyncMessage(messageUuid: string): Promise<unknown> {
    return (await this.#pass("cancel_async_message", { message_uuid: messageUuid })).cancelled;
  }

  /** Null if the agent has no answer. */
  async askSideQuestion(
    question: string,
    options: { readonly history?: readonly SideQuestion[] } = {},
  ): Promise<{ response: unknown; synthetic: boolean } | null> {
    const history = options.history?.length ? [...options.history] : undefined;
    const { response, synthetic } = await this.#pass("side_question", { question, history });
    return response === null ? null : { response, synthetic: synthetic === true };
  }

  async messageRated(rating: {
    readonly messageUuid: string;
    readonly sentiment?: string;
    readonly surface?: string;
    readonly cleared?: boolean;
  }): Promise<void> {
    const { messageUuid, sentiment, surface, cleared = false } = rating;
    await this.#pass("message_rated", { messageUuid, sentiment, surface, cleared });
  }

  async setPromptSuggestionsPaused(paused: boolean): Promise<void> {
    await this.#pass("set_prompt_suggestions_paused", { paused });
  }

  async enableChannel(serverName: string): Promise<void> {
    await this.#pass("channel_enable", { serverName });
  }

  submitFeedback(description: string, more: Readonly<Record<string, unknown>> = {}): Answer {
    return this.#pass("submit_feedback", { ...more, description });
  }
}
