import { messageContent } from "../content.ts";
import { about } from "../schema/about.ts";
import { array } from "../schema/collection.ts";
import { object, optional, required } from "../schema/object.ts";
import { boolean, literal, nullable, oneOf, string } from "../schema/scalar.ts";
import type { Infer } from "../schema/schema.ts";
import { messageOrigin } from "./origin.ts";

/** What the user says, as the host passes it on: the only message that starts a turn. */
export const promptMessage = about(
  "E",
  "Sent at any time; while a turn runs it waits, or joins the turn between two steps.",
  object({
    type: literal("user"),
    message: object({
      role: required(literal("user"), "another role is an error"),
      content: messageContent,
    }),
    parent_tool_use_id: optional(nullable(string)),
    session_id: optional(string, "the official agent ignores it; ours picks the session by it"),
    uuid: optional(string, "the host's name for the prompt; a second prompt with the same one is skipped"),
    priority: optional(oneOf("now", "next", "later"), "place in the queue while a turn runs"),
    shouldQuery: optional(boolean, "false: remember the text, start no turn"),
    isSynthetic: optional(boolean, "not typed by a person"),
    client_composed: optional(boolean, "take the text as it is: no file mentions, no slash commands"),
    origin: optional(messageOrigin),
    timestamp: optional(string, "for display only"),
    pasted_content: optional(array(messageContent), "pastes to put after the text"),
    inline_pastes: optional(array(string), "pastes that still stand in the text"),
  }),
);

/** What the user says, as the host passes it on: the only message that starts a turn. */
export type PromptMessage = Infer<typeof promptMessage>;
