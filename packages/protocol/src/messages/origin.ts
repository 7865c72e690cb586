import { object, optional } from "../schema/object.ts";
import { number, oneOf, string } from "../schema/scalar.ts";
import type { Infer } from "../schema/schema.ts";

/** Where a prompt came from; the fields beside `kind` depend on it. */
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

/** Where a prompt came from; the fields beside `kind` depend on it. */
export type MessageOrigin = Infer<typeof messageOrigin>;
