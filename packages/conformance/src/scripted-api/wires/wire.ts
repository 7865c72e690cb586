import type { ScriptFailure } from "@agentwire/models/script";
import type { JsonObject } from "@agentwire/protocol";

/** A wire for model calls over HTTP. Scripts and logs use the Messages API, whichever wire is spoken. */
export interface Wire {
  /** Converts a request to the Messages API. */
  toMessages(body: JsonObject, path: string): JsonObject;
  /** Starts writing a reply. */
  write(quirks: Quirks): ReplyWriter;
  /** A reply to a request without streaming. */
  whole(message: JsonObject): JsonObject;
  failure(status: number, error: ScriptFailure): JsonObject;
}

/** Writes the events of a reply as the bytes of a stream. */
export interface ReplyWriter {
  event(event: JsonObject & { readonly type: string }): string;
  /** The end of the stream. */
  end(): string;
}

/** Behavior of real servers that the documentation of their wire does not mention; each quirk applies only to some wires. */
export interface Quirks {
  /** Tool calls have no id. */
  readonly noIds?: boolean;
  /** All tool calls have index 0. */
  readonly sameIndex?: boolean;
  /** Tool calls have no index. */
  readonly noIndex?: boolean;
  /** Id and name are repeated in every piece of a call. */
  readonly repeatedNames?: boolean;
  /** Arguments are sent whole, with the name. */
  readonly wholeArguments?: boolean;
  /** Arguments are an object, not a string. */
  readonly objectArguments?: boolean;
  /** Every call starts with an empty object. */
  readonly emptyObjectFirst?: boolean;
  /** The stop reason is always the same. */
  readonly alwaysStop?: boolean;
  /** The word that ends a stream; null for none. */
  readonly done?: string | null;
  /** Where usage is reported: in a separate chunk, with the last piece, with every piece, or never. */
  readonly usage?: "own" | "last" | "every" | "never";
  /** Where reasoning is reported. */
  readonly reasoning?: "reasoning_content" | "reasoning" | "details" | "tags" | "parts";
  /** A comment before every event, to keep the connection open. */
  readonly comments?: boolean;
  /** The line ending. */
  readonly lineEnd?: "\n" | "\r\n" | "\r";
  /** No space after `data:`. */
  readonly tight?: boolean;
  /** Every byte is sent separately, even within a character. */
  readonly byteByByte?: boolean;
  /** The reply is plain JSON, although a stream was requested. */
  readonly neverStreams?: boolean;
}
