import type { JsonObject } from "../json.ts";
import { Reading, type Repair } from "../schema/reading.ts";
import { type Schema, UNREADABLE } from "../schema/schema.ts";
import { Unknown } from "../schema/unknown.ts";
import { Malformed } from "./malformed.ts";

/** Where decoding delivers what it finds in a line. */
export interface Sink<M> {
  message(message: M): void;
  /** Something in the next message was repaired first. */
  repaired(type: string, repairs: readonly Repair[]): void;
  /** `value` is the object if its type is known and its shape is wrong. */
  malformed(fault: Malformed, value?: JsonObject): void;
  /** A value to write back at once: how a dialect answers input that never becomes a message. */
  reply(value: unknown): void;
}

/** The objects as received, for those that reading replaced; all others are unchanged. */
const repaired = new WeakMap<object, JsonObject>();

/** A message as received, before anything in it was repaired or marked unknown. */
export function rawMessage(message: object): object {
  return message instanceof Unknown ? message.payload : (repaired.get(message) ?? message);
}

/** Reads a JSON object as one of the messages in `table`; a type that is not in the table becomes an `Unknown`. */
export function readMessage<M>(
  table: ReadonlyMap<string, Schema<M>>,
  value: JsonObject,
  sink: Sink<M | Unknown>,
): void {
  const { type } = value;
  if (typeof type !== "string") {
    sink.malformed(new Malformed("no_type", "the message has no type", JSON.stringify(value)));
    return;
  }
  const schema = table.get(type);
  if (!schema) sink.message(new Unknown(type, value));
  else if (schema.accepts(value)) sink.message(value);
  else readSlowly(schema, type, value, sink);
}

function readSlowly<M>(schema: Schema<M>, type: string, value: JsonObject, sink: Sink<M | Unknown>): void {
  const reading = new Reading();
  const message = schema.read(value, reading);
  if (message === UNREADABLE) {
    const reason = `the ${type} message can't be read: ${reading.failure ?? "it has an unexpected shape"}`;
    sink.malformed(new Malformed("unreadable", reason, JSON.stringify(value)), value);
    return;
  }
  if (typeof message === "object" && message !== null && !(message instanceof Unknown))
    repaired.set(message, value);
  if (reading.repairs.length > 0) sink.repaired(type, reading.repairs);
  sink.message(message);
}
