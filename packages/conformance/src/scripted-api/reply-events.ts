import type { JsonObject } from "@agentwire/protocol";
import type { Block, Reply } from "./script.ts";

/** What happens next on a stream: an event, or the way it breaks. */
export type Frame =
  | {
      readonly type: "event";
      readonly event: JsonObject & { readonly type: string };
      readonly delta: boolean;
    }
  | { readonly type: "cut" }
  | { readonly type: "stall" };

const DEFAULT_CHUNK = 16;

/** A reply as the events of its stream, up to where the script breaks it. */
export function* streamFrames(reply: Reply, head: JsonObject): Generator<Frame, void, undefined> {
  const { broken } = reply;
  let deltas = 0;
  yield event("message_start", {
    message: { ...head, content: [], stop_reason: null, usage: { ...usageOf(reply), output_tokens: 1 } },
  });
  yield event("ping", {});
  for (const [index, block] of reply.content.entries()) {
    yield event("content_block_start", { index, content_block: emptyBlock(block) });
    for (const delta of deltasOf(block, reply.chunkSize ?? DEFAULT_CHUNK)) {
      yield { ...event("content_block_delta", { index, delta }), delta: true };
      deltas++;
      if (broken && broken.type !== "error" && deltas >= broken.afterDeltas) {
        yield { type: broken.type };
        return;
      }
    }
    yield event("content_block_stop", { index });
    if (broken?.type === "error" && broken.afterBlock === index) {
      yield event("error", { error: broken.error });
      return;
    }
  }
  yield event("message_delta", {
    delta: { stop_reason: stopReasonOf(reply), stop_sequence: null },
    usage: usageOf(reply),
  });
  yield event("message_stop", {});
}

/** A reply as the one message that a request without streaming gets. */
export function wholeMessage(reply: Reply, head: JsonObject): JsonObject {
  return {
    ...head,
    content: reply.content,
    stop_reason: stopReasonOf(reply),
    stop_sequence: null,
    usage: usageOf(reply),
  };
}

function event(type: string, data: JsonObject) {
  return { type: "event", event: { type, ...data }, delta: false } as const;
}

function emptyBlock(block: Block): JsonObject {
  switch (block.type) {
    case "text":
      return { type: "text", text: "" };
    case "thinking":
      return { type: "thinking", thinking: "", signature: "" };
    case "redacted_thinking":
      return { ...block };
    case "tool_use":
      return { ...block, input: {} };
  }
}

function deltasOf(block: Block, size: number): readonly JsonObject[] {
  switch (block.type) {
    case "text":
      return pieces(block.text, size).map((text) => ({ type: "text_delta", text }));
    case "thinking":
      return [
        ...pieces(block.thinking, size).map((thinking) => ({ type: "thinking_delta", thinking })),
        { type: "signature_delta", signature: block.signature },
      ];
    case "redacted_thinking":
      return [];
    case "tool_use":
      // The real API opens every tool call with an empty delta.
      return ["", ...pieces(JSON.stringify(block.input), size)].map((partial_json) => ({
        type: "input_json_delta",
        partial_json,
      }));
  }
}

function pieces(text: string, size: number): readonly string[] {
  const count = Math.max(1, Math.ceil(text.length / size));
  return Array.from({ length: count }, (_, i) => text.slice(i * size, (i + 1) * size));
}

function stopReasonOf(reply: Reply): string {
  if (reply.stopReason !== undefined) return reply.stopReason;
  return reply.content.some((block) => block.type === "tool_use") ? "tool_use" : "end_turn";
}

function usageOf(reply: Reply): JsonObject {
  return {
    input_tokens: 100,
    output_tokens: 20,
    cache_creation_input_tokens: 0,
    cache_read_input_tokens: 0,
    cache_creation: { ephemeral_5m_input_tokens: 0, ephemeral_1h_input_tokens: 0 },
    service_tier: "standard",
    ...reply.usage,
  };
}
