import type { EventSchema } from "@agentwire/api";
import type { MessageInitShape } from "@bufbuild/protobuf";

type AnyBody = NonNullable<MessageInitShape<typeof EventSchema>["body"]>;

/** The body of an event. */
export type EventBody = Exclude<AnyBody, { case: undefined }>;

/** An event that has no number yet. */
export interface Draft {
  readonly body: EventBody;
  /** The tool call in which it happened: set for the events of a subagent. */
  readonly parent?: string;
  /** The unfinished message that this is a delta of. */
  readonly deltaOf?: string;
  /** The message whose deltas this replaces. */
  readonly finishes?: string;
  /** The agent's id of the message that it comes from. */
  readonly messageId?: string;
  /** The line to store with it, if it is the first event of that line. */
  readonly line?: string;
}
