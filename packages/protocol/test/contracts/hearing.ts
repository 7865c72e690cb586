import type { Translation } from "../../src/dialect/dialect.ts";
import type { JsonObject } from "../../src/json.ts";
import type { Sink } from "../../src/lines/decode.ts";
import type { Malformed } from "../../src/lines/malformed.ts";
import type { Repair } from "../../src/schema/reading.ts";

/** Everything that one line was read as. */
export interface Heard<M> {
  readonly messages: M[];
  readonly repairs: Repair[];
  readonly faults: Malformed[];
  readonly replies: unknown[];
}

/** A sink that only records. */
export function remembering<M>(): { readonly heard: Heard<M>; readonly sink: Sink<M> } {
  const heard: Heard<M> = { messages: [], repairs: [], faults: [], replies: [] };
  const sink: Sink<M> = {
    message: (message) => heard.messages.push(message),
    repaired: (_type, repairs) => heard.repairs.push(...repairs),
    malformed: (fault) => heard.faults.push(fault),
    reply: (value) => heard.replies.push(value),
  };
  return { heard, sink };
}

/** Decodes one line's object and returns the result. */
export function hear<In, Out>(translation: Translation<In, Out>, line: JsonObject): Heard<In> {
  const { heard, sink } = remembering<In>();
  translation.decode(line, sink);
  return heard;
}

/** Encodes one message and returns the lines' values as a peer would parse them. */
export function written<In, Out>(translation: Translation<In, Out>, message: Out): JsonObject[] {
  const { sink } = remembering<In>();
  return translation.encode(message, sink).map((value) => JSON.parse(JSON.stringify(value)));
}
