import type { SessionUpdate, ToolCallContent } from "@agentclientprotocol/sdk";
import type { ContentBlock, ToolResultBlock } from "../../content/content.ts";
import { contentText } from "../../content/content.ts";
import { isJsonObject, type JsonObject } from "../../json.ts";
import type { AssistantMessage } from "../../messages/assistant.ts";
import type { StreamEventMessage } from "../../messages/stream-event.ts";
import type { UserMessage } from "../../messages/user.ts";
import { objectAt, objectsAt } from "../spelling.ts";
import { acpBlocks } from "./content.ts";
import { PLAN_TOOL, planEntries } from "./plan.ts";
import { shownCall } from "./tool-calls.ts";

/** Turns an agent's messages into updates of a conversation. */
export class UpdateWriter {
  /** The id of the reply that was sent in pieces: its blocks need not be sent again in full. */
  #streamed = "";
  /** Calls that are plans: their results have nothing for an editor to show. */
  readonly #plans = new Set<string>();
  /** Calls shown as diffs, which remain after the call ends. */
  readonly #changes = new Set<string>();

  /** A piece of a reply. */
  delta({ event, parent_tool_use_id: parent }: StreamEventMessage): readonly SessionUpdate[] {
    // A subagent's text is not the agent's own.
    if (parent) return [];
    if (event.type === "message_start") this.#streamed = event.message.id;
    if (event.type !== "content_block_delta") return [];
    const { delta } = event;
    if (delta.type === "text_delta") return [this.#chunk("agent_message_chunk", delta.text)];
    return delta.type === "thinking_delta" ? [this.#chunk("agent_thought_chunk", delta.thinking)] : [];
  }

  /** The blocks of a reply. */
  reply({ message, parent_tool_use_id: parent, error }: AssistantMessage): readonly SessionUpdate[] {
    const isStreamed = message.id !== "" && message.id === this.#streamed && error === undefined;
    return message.content.flatMap((block) =>
      this.#block(block, { isStreamed, parent, messageId: message.id }),
    );
  }

  /** The results of tools. */
  results({ message, tool_use_result: outcome }: UserMessage): readonly SessionUpdate[] {
    const { content } = message;
    if (typeof content === "string") return [];
    return content.flatMap((block) => (block.type === "tool_result" ? this.#result(block, outcome) : []));
  }

  /** A message from earlier in the conversation, for an editor that shows it again. */
  replay(message: JsonObject): readonly SessionUpdate[] {
    const { content } = objectAt(message, "message");
    if (message.type === "assistant") return this.reply({ ...message, parent_tool_use_id: null } as never);
    const blocks =
      typeof content === "string" ? [{ type: "text", text: content }] : objectsAt({ content }, "content");
    const said = blocks.filter(
      ({ type }) => type === "text" || type === "image",
    ) as unknown as ContentBlock[];
    return [
      ...this.results({ message: { role: "user", content: blocks } } as never),
      ...acpBlocks(said).map((block) => ({ sessionUpdate: "user_message_chunk" as const, content: block })),
    ];
  }

  #chunk(sessionUpdate: "agent_message_chunk" | "agent_thought_chunk", text: string): SessionUpdate {
    const messageId = this.#streamed;
    return { sessionUpdate, content: { type: "text", text }, ...(messageId !== "" && { messageId }) };
  }

  #block(
    block: ContentBlock,
    { isStreamed, parent, messageId }: { isStreamed: boolean; parent: string | null; messageId: string },
  ): readonly SessionUpdate[] {
    switch (block.type) {
      case "text":
      case "thinking": {
        if (isStreamed || parent) return [];
        const [sessionUpdate, text] =
          block.type === "text"
            ? (["agent_message_chunk", block.text] as const)
            : (["agent_thought_chunk", block.thinking] as const);
        if (text === "") return [];
        return [{ sessionUpdate, content: { type: "text", text }, ...(messageId !== "" && { messageId }) }];
      }
      case "tool_use":
      case "server_tool_use":
      case "mcp_tool_use":
        return [this.#call(block.id, block.name, block.input, parent)];
      default:
        return parent || block.type === "tool_result"
          ? []
          : acpBlocks([block]).map((content) => ({ sessionUpdate: "agent_message_chunk", content }));
    }
  }

  #call(toolCallId: string, name: string, input: JsonObject, parent: string | null): SessionUpdate {
    if (name === PLAN_TOOL && !parent) {
      this.#plans.add(toolCallId);
      return { sessionUpdate: "plan", entries: planEntries(input) };
    }
    const shown = shownCall(name, input);
    if (shown.content.some(({ type }) => type === "diff")) this.#changes.add(toolCallId);
    return {
      sessionUpdate: "tool_call",
      toolCallId,
      ...shown,
      status: "pending",
      rawInput: input,
      ...(parent && { _meta: { agentwire: { parentToolUseId: parent } } }),
    };
  }

  #result(
    { tool_use_id: toolCallId, content, is_error }: ToolResultBlock,
    outcome: unknown,
  ): readonly SessionUpdate[] {
    if (this.#plans.delete(toolCallId)) return [];
    const isShown = this.#changes.delete(toolCallId) && !is_error;
    const blocks = content === null || content === undefined ? [] : acpBlocks(content);
    const told = [
      ...blocks.map((one) => ({ type: "content" as const, content: one })),
      ...changesIn(outcome),
    ];
    const rawOutput = outcome ?? (isShown ? contentText(content) : undefined);
    return [
      {
        sessionUpdate: "tool_call_update",
        toolCallId,
        status: is_error ? "failed" : "completed",
        ...(!isShown && told.length > 0 && { content: told }),
        ...(rawOutput !== undefined && { rawOutput }),
      },
    ];
  }
}

/** Diffs and terminals that an agent of this protocol showed, passed through. */
const changesIn = (outcome: unknown): ToolCallContent[] =>
  isJsonObject(outcome) && Array.isArray(outcome.content)
    ? outcome.content.filter((one) => isJsonObject(one) && (one.type === "diff" || one.type === "terminal"))
    : [];
