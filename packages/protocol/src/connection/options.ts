import type { Readable, Writable } from "node:stream";
import type { RequestTable } from "../control/request-table.ts";
import type { Translation } from "../dialect/dialect.ts";
import type { JsonObject } from "../json.ts";
import type { Line } from "../lines/lines.ts";
import type { Malformed } from "../lines/malformed.ts";
import type { Log } from "../log.ts";
import type { Repair } from "../schema/reading.ts";
import type { Handlers, ReadRequest } from "./answering.ts";
import type { Control } from "./held-controls.ts";

/** What is known of a line that is not a message. */
export interface MalformedContext {
  /** Whether the dialect had a word for that, so that the peer knows. */
  readonly told: boolean;
  /** As it came. */
  readonly line: Line;
  /** The line's object, if it is one of a known type and another shape. */
  readonly value?: JsonObject;
}

/** What a connection is made of. `Asks` are the requests this end may send, `Answers` those that the peer may. */
export interface ConnectionOptions<In, Out, Asks extends RequestTable, Answers extends RequestTable> {
  readonly input: Readable;
  readonly output: Writable;
  readonly translation: Translation<In, Out>;
  readonly asks: Asks;
  /** Whether requests and answers wait for one turn of the event loop behind the messages that came before them. */
  readonly messagesFirst?: boolean;
  /**
   * Takes each message as it comes, with the line it came in, in place of `messages`: in order with the peer's requests and with lines
   * that are none. Nothing is read on while a promise of it is open, unless we wait for an answer. Must not throw.
   */
  readonly take?: (message: Exclude<In, Control>, line: string | undefined) => Promise<void> | undefined;
  readonly readRequest: ReadRequest;
  /** Answers the peer's requests; a subtype without a handler is refused at once. */
  readonly handlers?: Handlers<Answers>;
  /** Called for each line that is not a message. The reader continues; whether the program does is the owner's decision. */
  readonly onMalformed?: (fault: Malformed, facts: MalformedContext) => void;
  /** Called when the tolerant reader had to put something right. */
  readonly onRepaired?: (type: string, repairs: readonly Repair[]) => void;
  /** Told of each message as it comes, requests and answers too, before anyone takes it; must not throw. */
  readonly onMessage?: (message: In, line: string | undefined) => void;
  /** Told of each line that passes, as it is on the wire; must not throw. */
  readonly onLine?: (direction: "received" | "sent", line: Line) => void;
  /** Whether the peer is told of requests that were withdrawn; one that does not know the word is better left in the dark. */
  readonly tellsWithdrawals?: boolean;
  readonly maxLineBytes?: number;
  readonly log?: Log;
}
