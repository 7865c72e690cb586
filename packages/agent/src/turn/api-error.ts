import type { ModelError } from "@agentwire/models";
import type { Notice } from "../host/outlet.ts";
import { finalErrorKind, isMediaTooLarge, isPromptTooLong } from "../model/error-kind.ts";
import { syntheticReply } from "./synthetic-reply.ts";

/** A failed model call as the wire reports it: a reply that no model wrote. */
export function apiErrorReply(
  error: ModelError,
  requestId: string | undefined,
): {
  readonly notice: Extract<Notice, { type: "assistant" }>;
  readonly text: string;
  readonly reason: string;
} {
  const text = textOf(error);
  return {
    text,
    reason: reasonOf(error),
    notice: {
      type: "assistant",
      message: syntheticReply(text, { stop_reason: "stop_sequence", stop_sequence: "" }),
      parent_tool_use_id: null,
      error: finalErrorKind(error),
      is_api_error_message: true,
      ...(requestId !== undefined && { request_id: requestId }),
      timestamp: new Date().toISOString(),
    },
  };
}

function reasonOf(error: ModelError): string {
  if (isPromptTooLong(error)) return "prompt_too_long";
  return isMediaTooLarge(error) ? "image_error" : "api_error";
}

/** Why a turn is abandoned although the model has replied. */
export type AbandonReason = "refused" | "cut_off" | "no_call";

const GIVEN_UP = {
  refused: {
    text: "API Error: the model's safeguards stopped its replies to this prompt. Ask for something else.",
    stop_reason: "refusal",
    error: "invalid_request",
  },
  cut_off: {
    text: "API Error: the model's replies kept exceeding the length limit. Ask for less at a time.",
    stop_reason: "stop_sequence",
    error: "max_output_tokens",
  },
  no_call: {
    text: "API Error: the model announced a tool call but made none, even when asked again.",
    stop_reason: "stop_sequence",
    error: undefined,
  },
} as const;

/** The end of such a turn, as a reply that no model wrote. */
export function abandonedReply(why: AbandonReason): {
  readonly notice: Extract<Notice, { type: "assistant" }>;
  readonly text: string;
  readonly stopReason: string;
} {
  const { text, stop_reason, error } = GIVEN_UP[why];
  return {
    text,
    stopReason: stop_reason,
    notice: {
      type: "assistant",
      message: syntheticReply(text, { stop_reason, stop_sequence: "" }),
      parent_tool_use_id: null,
      ...(error && { error }),
      is_api_error_message: true,
      timestamp: new Date().toISOString(),
    },
  };
}

function textOf(error: ModelError): string {
  if (isPromptTooLong(error)) return "Prompt is too long";
  if (error.type === "missing_credentials") return error.message;
  if (error.status === null) return `API Error: the connection to the model failed (${error.message})`;
  return `API Error: ${error.status} ${error.message}`;
}
