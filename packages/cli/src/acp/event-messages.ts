import type { Event } from "@agentwire/api";
import type { AgentMessage, JsonObject } from "@agentwire/protocol";

/** The messages that express an event on the agent's own wire; none for events that the wire conveys in another way. */
export function messagesOf(event: Event, sessionId: string): readonly AgentMessage[] {
  const { body } = event;
  const parent = event.parentToolUseId === "" ? null : event.parentToolUseId;
  const assistant = (id: string, block: JsonObject) =>
    made({
      type: "assistant",
      message: { ...REPLY, id, content: [block] },
      parent_tool_use_id: parent,
      uuid: "",
      session_id: sessionId,
    });
  const delta = (id: string, index: number, piece: JsonObject) => [
    made({
      type: "stream_event",
      event: { type: "message_start", message: { ...REPLY, id } },
      ...beside(parent, sessionId),
    }),
    made({
      type: "stream_event",
      event: { type: "content_block_delta", index, delta: piece },
      ...beside(parent, sessionId),
    }),
  ];
  switch (body.case) {
    case "textDelta":
      return delta(body.value.messageId, body.value.index, { type: "text_delta", text: body.value.text });
    case "thinkingDelta":
      return delta(body.value.messageId, body.value.index, {
        type: "thinking_delta",
        thinking: body.value.text,
      });
    case "text":
      return [assistant(body.value.messageId, { type: "text", text: body.value.text })];
    case "thinking":
      return [
        assistant(body.value.messageId, { type: "thinking", thinking: body.value.text, signature: "" }),
      ];
    case "toolCallStart": {
      const { toolUseId: id, name, inputJson, messageId } = body.value;
      return [assistant(messageId, { type: "tool_use", id, name, input: JSON.parse(inputJson || "{}") })];
    }
    case "toolCallResult": {
      const { toolUseId: tool_use_id, text, contentJson, isError, structuredJson } = body.value;
      const content = contentJson === "" ? text : JSON.parse(contentJson);
      return [
        made({
          type: "user",
          message: {
            role: "user",
            content: [{ type: "tool_result", tool_use_id, content, is_error: isError }],
          },
          parent_tool_use_id: parent,
          ...(structuredJson !== "" && { tool_use_result: JSON.parse(structuredJson) }),
        }),
      ];
    }
    case "error":
      return [
        made({ type: "system", subtype: "informational", content: body.value.message, level: "error" }),
      ];
    case "deprecation":
      return [
        made({ type: "system", subtype: "informational", content: body.value.message, level: "warning" }),
      ];
    case "compaction":
      return [
        made({
          type: "system",
          subtype: "compact_boundary",
          compact_metadata: { trigger: "auto", pre_tokens: 0 },
        }),
      ];
    case "userInput": {
      const { text, contentJson } = body.value;
      return [
        made({
          type: "user",
          message: { role: "user", content: contentJson === "" ? text : JSON.parse(contentJson) },
          isReplay: true,
        }),
      ];
    }
    default:
      return [];
  }
}

const REPLY = {
  type: "message",
  role: "assistant",
  model: "",
  content: [],
  stop_reason: null,
  stop_sequence: null,
  usage: { input_tokens: 0, output_tokens: 0, cache_creation_input_tokens: 0, cache_read_input_tokens: 0 },
};

const beside = (parent_tool_use_id: string | null, session_id: string) => ({
  parent_tool_use_id,
  uuid: "",
  session_id,
});

/** Casts an object to the wire's schema. */
const made = (message: JsonObject) => message as unknown as AgentMessage;
