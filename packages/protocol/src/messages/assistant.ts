import { apiMessage } from "../content/api-message.ts";
import { array } from "../schema/collection.ts";
import { object, optional } from "../schema/object.ts";
import { boolean, jsonObject, literal, oneOf, string } from "../schema/scalar.ts";
import type { Infer } from "../schema/schema.ts";
import { about } from "../schema/schema.ts";
import { answered, parentToolUse, subagent, trailer } from "./common.ts";

/** What can go wrong between the agent and its model. */
export const ASSISTANT_ERRORS = [
  "authentication_failed",
  "oauth_org_not_allowed",
  "account_on_hold",
  "verification_required",
  "billing_error",
  "rate_limit",
  "overloaded",
  "invalid_request",
  "model_not_found",
  "server_error",
  "unknown",
  "max_output_tokens",
  "cloud_credential_error",
] as const;

/** The kind of a failed model call. */
export const assistantError = oneOf(...ASSISTANT_ERRORS);

/** The kind of a failed model call. */
export type AssistantError = Infer<typeof assistantError>;

/** A piece of the model's reply. */
export const assistantMessage = about(
  "E",
  "Sent for every completed block of a reply; the blocks of one reply share `message.id`.",
  object({
    type: literal("assistant"),
    message: apiMessage,
    ...parentToolUse,
    error: optional(assistantError, "set if the text reports an error in place of a reply"),
    is_api_error_message: optional(boolean),
    request_id: optional(string, "id of the model call"),
    ...answered,
    supersedes: optional(array(string), "uuids of earlier messages to remove"),
    aborted: optional(boolean, "cut off by an interrupt; may end in the middle of a word"),
    resumed_from_incomplete_thinking: optional(boolean),
    ...subagent,
    timestamp: optional(string, "for display only"),
    context_usage: optional(jsonObject, "the data behind the text of `/context`"),
    usage_report: optional(jsonObject, "the data behind the text of `/usage`"),
    ...trailer,
  }),
);

/** A piece of the model's reply. */
export type AssistantMessage = Infer<typeof assistantMessage>;
