import type { ApiEvent } from "@agentwire/protocol/messages";
import type { ToolNames } from "./tool-names.ts";

/** What reading a reply needs to know about its request. */
export interface ReplyOptions {
  /** The name under which the model was requested. */
  readonly model: string;
  /** The provider, for the state that is sent back to it. */
  readonly from: string;
  readonly names: ToolNames;
  /** The tool call ids already used in the conversation. */
  readonly usedIds: ReadonlySet<string>;
  /** The length of the request, for providers that do not count tokens. */
  readonly requestCharacters: number;
}

/** Converts a reply of one wire to events of the Messages API. Throws a `ModelError` for a failure in the stream. */
export interface ReplyReader {
  /** Takes the data of one stream event. */
  push(data: unknown): ApiEvent[];
  /** Ends the reply; throws if it is incomplete. `isDone` says whether the stream signaled its end. */
  end(isDone: boolean): ApiEvent[];
}
