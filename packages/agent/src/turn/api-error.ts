import { finalErrorKind, isPromptTooLong } from "../model/error-kind.ts";
import type { ModelError } from "../model/model.ts";
import type { Notice } from "../session/workspace.ts";
import { syntheticReply } from "./synthetic-reply.ts";

/** A failed model call, told the way the wire tells it: as a reply that nobody's model wrote. */
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
    reason: isPromptTooLong(error) ? "prompt_too_long" : "api_error",
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

/** The end of a turn in which the model was stopped for the second time, told as a reply that nobody's model wrote. */
export function refusedReply(): {
  readonly notice: Extract<Notice, { type: "assistant" }>;
  readonly text: string;
} {
  const text =
    "API Error: the model's safeguards stopped its replies to this prompt. Ask for something else.";
  return {
    text,
    notice: {
      type: "assistant",
      message: syntheticReply(text, { stop_reason: "refusal", stop_sequence: "" }),
      parent_tool_use_id: null,
      error: "invalid_request",
      is_api_error_message: true,
      timestamp: new Date().toISOString(),
    },
  };
}

function textOf(error: ModelError): string {
  if (isPromptTooLong(error)) return `Prompt is too long. ${error.message}`;
  if (error.type === "missing_credentials") return error.message;
  if (error.status === null) return `API Error: the connection to the model failed (${error.message})`;
  return `API Error: ${error.status} ${error.message}`;
}
