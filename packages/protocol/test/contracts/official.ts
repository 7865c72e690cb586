import type { ContentBlock } from "../../src/content/content.ts";
import { NO_USAGE } from "../../src/content/usage.ts";
import type { ControlRequest, ControlResponse } from "../../src/control/envelope.ts";
import type { JsonObject } from "../../src/json.ts";
import type { AssistantMessage } from "../../src/messages/assistant.ts";
import type { InitMessage } from "../../src/messages/init.ts";
import type { CommandLifecycleMessage } from "../../src/messages/progress.ts";
import type { PromptMessage } from "../../src/messages/prompt.ts";
import type { ResultMessage } from "../../src/messages/result.ts";
import type { UserMessage } from "../../src/messages/user.ts";

/** A prompt in canonical form. */
export function prompt(content: PromptMessage["message"]["content"], more: Partial<PromptMessage> = {}) {
  return { type: "user", message: { role: "user", content }, ...more } satisfies PromptMessage;
}

/** The start of a turn as a current agent reports it. */
export function init(more: Partial<InitMessage> = {}): InitMessage {
  return {
    type: "system",
    subtype: "init",
    cwd: "/project",
    model: "claude-opus-4-5-20251101",
    permissionMode: "default",
    tools: ["Bash", "Read"],
    mcp_servers: [],
    slash_commands: [],
    skills: [],
    plugins: [],
    output_style: "default",
    claude_code_version: "2.1.325",
    apiKeySource: "none",
    uuid: "",
    session_id: "",
    ...more,
  };
}

/** The reply `id`, or one block of it, as a current agent sends it. */
export function reply(
  id: string,
  content: ContentBlock | ContentBlock[],
  { model = "claude-opus-4-5-20251101", ...more }: Partial<AssistantMessage> & { model?: string } = {},
): AssistantMessage {
  return {
    type: "assistant",
    message: {
      id,
      type: "message",
      role: "assistant",
      model,
      content: Array.isArray(content) ? content : [content],
      stop_reason: null,
      stop_sequence: null,
      usage: NO_USAGE,
    },
    parent_tool_use_id: null,
    uuid: "",
    session_id: "",
    ...more,
  };
}

/** A text block. */
export const text = (words: string): ContentBlock => ({ type: "text", text: words });

/** A tool call. */
export const call = (id: string, name: string, input: JsonObject): ContentBlock => ({
  type: "tool_use",
  id,
  name,
  input,
});

/** The result of a tool call as a current agent sends it. */
export function toolResult(id: string, content: string, more: Partial<UserMessage> = {}): UserMessage {
  return {
    type: "user",
    message: { role: "user", content: [{ type: "tool_result", tool_use_id: id, content }] },
    parent_tool_use_id: null,
    ...more,
  };
}

/** The end of a turn as a current agent reports it. */
export function result(more: Partial<ResultMessage> = {}): ResultMessage {
  return {
    type: "result",
    subtype: "success",
    is_error: false,
    stop_reason: null,
    duration_ms: 0,
    duration_api_ms: 0,
    num_turns: 1,
    usage: NO_USAGE,
    modelUsage: {},
    permission_denials: [],
    uuid: "",
    session_id: "",
    ...more,
  };
}

/** The report about the prompt `uuid`. */
export function lifecycle(uuid: string, state: CommandLifecycleMessage["state"]): CommandLifecycleMessage {
  return { type: "command_lifecycle", command_uuid: uuid, state, uuid: "", session_id: "sess_2" };
}

/** A control request in canonical form. */
export function request(id: string, subtype: string, params: JsonObject = {}): ControlRequest {
  return { type: "control_request", request_id: id, request: { subtype, ...params } };
}

/** A success answer in canonical form. */
export function answer(id: string, response: JsonObject = {}): ControlResponse {
  return { type: "control_response", response: { subtype: "success", request_id: id, response } };
}

/** An error answer in canonical form. */
export function refusal(id: string, error: string): ControlResponse {
  return { type: "control_response", response: { subtype: "error", request_id: id, error } };
}
