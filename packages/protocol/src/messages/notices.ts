import { about } from "../schema/about.ts";
import { defaulted, optional } from "../schema/object.ts";
import { boolean, number, oneOf, string } from "../schema/scalar.ts";
import type { Infer } from "../schema/schema.ts";
import { system } from "./system-shape.ts";

/** A line for the user that is neither a reply nor an error. */
export const informationalMessage = about(
  "X",
  "Sent when the agent or a hook has something to tell the user.",
  system("informational", {
    content: string,
    level: defaulted(oneOf("info", "notice", "suggestion", "warning"), "info"),
    tool_use_id: optional(string),
    prevent_continuation: optional(boolean, "the turn stops here"),
    tag: optional(string),
  }),
);

/** A line for the user that is neither a reply nor an error. */
export type InformationalMessage = Infer<typeof informationalMessage>;

/** A short notice that goes away by itself. */
export const notificationMessage = about(
  "X",
  "Sent for notices that a terminal would show beside the conversation.",
  system("notification", {
    key: defaulted(string, "", "a new notice with the same key takes the old one's place"),
    text: string,
    priority: defaulted(oneOf("low", "medium", "high", "immediate"), "medium"),
    color: optional(string),
    timeout_ms: optional(number),
  }),
);

/** A short notice that goes away by itself. */
export type NotificationMessage = Infer<typeof notificationMessage>;

/** What a local slash command printed. */
export const localCommandOutputMessage = about(
  "X",
  "Sent in answer to a slash command that needs no model.",
  system("local_command_output", { content: string }),
);

/** What a local slash command printed. */
export type LocalCommandOutputMessage = Infer<typeof localCommandOutputMessage>;
