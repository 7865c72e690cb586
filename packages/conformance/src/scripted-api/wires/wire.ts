import type { ScriptFailure } from "@agentwire/models/script";
import type { JsonObject } from "@agentwire/protocol";

/** A way to ask a model over HTTP. Scripts and logs are in the words of the Messages API, whatever is spoken. */
export interface Wire {
  /** A request in the words of the Messages API. */
  toMessages(body: JsonObject, path: string): JsonObject;
  /** Begins to write a reply. */
  write(quirks: Quirks): ReplyWriter;
  /** A reply to a request without streaming. */
  whole(message: JsonObject): JsonObject;
  failure(status: number, error: ScriptFailure): JsonObject;
}

/** Writes the events of a reply as the bytes of a stream. */
export interface ReplyWriter {
  event(event: JsonObject & { readonly type: string }): string;
  /** What stands at the very end. */
  end(): string;
}

/** What servers were seen to do that the documents of their wire do not say; each only where it can be done. */
export interface Quirks {
  /** Calls of tools come without an id. */
  readonly noIds?: boolean;
  /** Every call of a tool is at index 0. */
  readonly sameIndex?: boolean;
  /** Calls of tools have no index. */
  readonly noIndex?: boolean;
  /** Id and name come with every piece of a call. */
  readonly repeatedNames?: boolean;
  /** Arguments come whole, with the name. */
  readonly wholeArguments?: boolean;
  /** Arguments are an object, not a text. */
  readonly objectArguments?: boolean;
  /** Every call begins with an empty object. */
  readonly emptyObjectFirst?: boolean;
  /** The reason to stop is always the same. */
  readonly alwaysStop?: boolean;
  /** The word that ends a stream; null for none. */
  readonly done?: string | null;
  /** Where usage is told: in a chunk of its own, with the last piece, with every piece, or never. */
  readonly usage?: "own" | "last" | "every" | "never";
  /** Where reasoning is told. */
  readonly reasoning?: "reasoning_content" | "reasoning" | "details" | "tags" | "parts";
  /** A comment before every event, to keep the connection open. */
  readonly comments?: boolean;
  /** How lines end. */
  readonly lineEnd?: "\n" | "\r\n" | "\r";
  /** No space after `data:`. */
  readonly tight?: boolean;
  /** Every byte is a piece of its own, in the middle of characters too. */
  readonly byteByByte?: boolean;
  /** The reply comes as JSON, though a stream was asked for. */
  readonly neverStreams?: boolean;
}
