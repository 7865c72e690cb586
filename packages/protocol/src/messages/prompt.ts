import { messageContent } from "../content/content.ts";
import { array } from "../schema/collection.ts";
import { object, optional, required } from "../schema/object.ts";
import { boolean, literal, nullable, number, oneOf, string } from "../schema/scalar.ts";
import { about, type Infer } from "../schema/schema.ts";

/** Where a prompt came from; the other fields depend on `kind`. */
export const messageOrigin = object({
  kind: oneOf(
    "human",
    "channel",
    "peer",
    "task-notification",
    "coordinator",
    "unclassified",
    "observer",
    "auto-continuation",
    "observer-activity",
  ),
  server: optional(string, "channel: the server that delivered it"),
  from: optional(string, "peer, observer: the sender's address"),
  name: optional(string, "peer: the sender's display name"),
  fromMode: optional(oneOf("bypass", "prompting"), "peer: whether the sender's session asks before it acts"),
  fromSession: optional(string, "peer: a session to open, never a proof of identity"),
  senderTaskId: optional(string, "peer, observer: the subagent that sent it"),
  body: optional(string, "peer: the text without its envelope"),
  verifiedPeerPid: optional(number, "peer: the connecting process, as the system reports it"),
  subkind: optional(
    oneOf("scheduled-trigger", "peer-send-message", "projects-relay", "session-inbox"),
    "task-notification: what fired it",
  ),
  fireReason: optional(string, "task-notification: why a schedule fired"),
  runId: optional(string, "task-notification: the run that ended"),
});

/** Where a prompt came from; the other fields depend on `kind`. */
export type MessageOrigin = Infer<typeof messageOrigin>;

/** What the user says, as the host passes it on: the only message that starts a turn. */
export const promptMessage = about(
  "E",
  "Sent at any time; while a turn runs, it waits or joins the turn between two steps.",
  object({
    type: literal("user"),
    message: object({
      role: required(literal("user"), "another role is an error"),
      content: messageContent,
    }),
    parent_tool_use_id: optional(nullable(string)),
    session_id: optional(string, "ignored by the official agent; ours uses it to select the session"),
    uuid: optional(string, "the host's id for the prompt; a second prompt with the same id is skipped"),
    priority: optional(oneOf("now", "next", "later"), "place in the queue while a turn runs"),
    shouldQuery: optional(boolean, "false: store the text without starting a turn"),
    isSynthetic: optional(boolean, "not typed by a person"),
    client_composed: optional(boolean, "take the text literally: no file mentions, no slash commands"),
    origin: optional(messageOrigin),
    timestamp: optional(string, "for display only"),
    pasted_content: optional(array(messageContent), "pastes to append to the text"),
    inline_pastes: optional(array(string), "pastes that are still in the text"),
  }),
);

/** What the user says, as the host passes it on: the only message that starts a turn. */
export type PromptMessage = Infer<typeof promptMessage>;
