import type { EventSchema } from "@agentwire/api";
import type { MessageInitShape } from "@bufbuild/protobuf";

type AnyBody = NonNullable<MessageInitShape<typeof EventSchema>["body"]>;

/** What an event says. */
export type EventBody = Exclude<AnyBody, { case: undefined }>;

/** An event that has no number yet. */
export interface Draft {
  readonly body: EventBody;
  /** The tool call that it happened inside of: set for what a subagent does. */
  readonly parent?: string;
  /** The unfinished message that this is a piece of. */
  readonly deltaOf?: string;
  /** The message whose pieces this takes the place of. */
  readonly finishes?: string;
  /** The id that the agent gave the message that it comes of. */
  readonly messageId?: string;
  /** The line that it is the first to come of, to be kept beside it. */
  readonly line?: string;
}
