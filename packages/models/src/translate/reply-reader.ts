import type { ApiEvent } from "@agentwire/protocol/messages";
import type { ToolNames } from "./tool-names.ts";

/** What reading a reply needs to know of its request. */
export interface ReplyOptions {
  /** The name under which the model was asked for. */
  readonly model: string;
  /** The provider, for the state that goes back to it. */
  readonly from: string;
  readonly names: ToolNames;
  /** Ids of tool calls that the conversation has already. */
  readonly usedIds: ReadonlySet<string>;
  /** The length of the request, for a provider that counts nothing. */
  readonly requestCharacters: number;
}

/** Reads a reply of some wire into the events of the Messages API. Throws a `ModelError` for a failure in the stream. */
export interface ReplyReader {
  /** Takes what one event of the stream carries. */
  push(data: unknown): ApiEvent[];
  /** Ends the reply; throws if it is not whole. `isDone` if the stream said that it is. */
  end(isDone: boolean): ApiEvent[];
}
