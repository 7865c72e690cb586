import { defaulted, object, optional, required } from "../schema/object.ts";
import { anything, literal, nullable, number, string } from "../schema/scalar.ts";
import type { Infer } from "../schema/schema.ts";
import { variants } from "../schema/union.ts";
import { apiMessage, stopReason } from "./api-message.ts";
import { contentBlock } from "./content.ts";
import { usageSoFar } from "./usage.ts";

const blockDelta = variants("BlockDelta", "type", {
  text_delta: object({ type: literal("text_delta"), text: string }),
  input_json_delta: object({ type: literal("input_json_delta"), partial_json: string }),
  thinking_delta: object({
    type: literal("thinking_delta"),
    thinking: string,
    estimated_tokens: optional(nullable(number)),
  }),
  signature_delta: object({ type: literal("signature_delta"), signature: string }),
  citations_delta: object({ type: literal("citations_delta"), citation: anything }),
});

/** What a `content_block_delta` adds to its block. */
export type BlockDelta = Infer<typeof blockDelta>;

const index = required(number, "index of the block within the reply");

/** One event of the Messages API stream, as the model's provider sent it. */
export const apiEvent = variants("ApiEvent", "type", {
  message_start: object({ type: literal("message_start"), message: apiMessage }),
  content_block_start: object({
    type: literal("content_block_start"),
    index,
    content_block: contentBlock,
  }),
  content_block_delta: object({ type: literal("content_block_delta"), index, delta: blockDelta }),
  content_block_stop: object({ type: literal("content_block_stop"), index }),
  message_delta: object({
    type: literal("message_delta"),
    delta: object({
      stop_reason: defaulted(nullable(stopReason), null),
      stop_sequence: defaulted(nullable(string), null),
    }),
    usage: defaulted(usageSoFar, Object.freeze({ output_tokens: 0 })),
  }),
  message_stop: object({ type: literal("message_stop") }),
  ping: object({ type: literal("ping") }),
  error: object({
    type: literal("error"),
    error: object({ type: defaulted(string, ""), message: defaulted(string, "") }),
  }),
});

/** One event of the Messages API stream, as the model's provider sent it. */
export type ApiEvent = Infer<typeof apiEvent>;
