import { apiEvent } from "../content/api-event.ts";
import { object, optional } from "../schema/object.ts";
import { literal, number, string } from "../schema/scalar.ts";
import type { Infer, Schema } from "../schema/schema.ts";
import { about } from "../schema/schema.ts";
import { answered, parentToolUse, trailer } from "./common.ts";

const anyStreamEvent = about(
  "E",
  "Sent only when the host asks for partial messages: one per event of the model's stream.",
  object({
    type: literal("stream_event"),
    event: apiEvent,
    ...parentToolUse,
    ttft_ms: optional(number, "on `message_start`: from the prompt to the first token"),
    api_message_id: optional(string, "the reply that the event belongs to"),
    ...answered,
    ...trailer,
  }),
);

/** A piece of an unfinished reply. */
export type StreamEventMessage = Infer<typeof anyStreamEvent>;

/** A piece of an unfinished reply. */
export const streamEventMessage: Schema<StreamEventMessage> = {
  ...anyStreamEvent,
  accepts: (value): value is StreamEventMessage =>
    isCommonDelta(value as CommonDelta) || anyStreamEvent.accepts(value),
};

/** The parts of a `stream_event` that the check below reads. */
interface CommonDelta {
  readonly [field: string]: unknown;
  readonly event?: { readonly type?: unknown; readonly index?: unknown; readonly delta?: Delta };
}

interface Delta {
  readonly type?: unknown;
  readonly text?: unknown;
  readonly partial_json?: unknown;
}

/**
 * Nine out of ten lines are pieces of text or of a tool's input. Written out by hand, their check costs a
 * fraction of the schema's loop; it must never accept what the schema would refuse.
 */
function isCommonDelta(value: CommonDelta | null | undefined): boolean {
  return (
    value?.type === "stream_event" &&
    value.event?.type === "content_block_delta" &&
    Number.isFinite(value.event.index) &&
    isTextOrInput(value.event.delta) &&
    typeof value.uuid === "string" &&
    typeof value.session_id === "string" &&
    (value.parent_tool_use_id === null || typeof value.parent_tool_use_id === "string") &&
    (value.api_message_id === undefined || typeof value.api_message_id === "string") &&
    value.ttft_ms === undefined &&
    value.user_message_uuid === undefined &&
    value.user_message_uuids === undefined &&
    value.resume_reason === undefined
  );
}

function isTextOrInput(delta: Delta | undefined): boolean {
  if (delta?.type === "text_delta") return typeof delta.text === "string";
  return delta?.type === "input_json_delta" && typeof delta.partial_json === "string";
}
