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

/** Facts about a line that is not a message. */
export interface MalformedContext {
  /** Whether the dialect could report the fault to the peer. */
  readonly told: boolean;
  /** The line as received. */
  readonly line: Line;
  /** The line's object, if its type is known and its shape is wrong. */
  readonly value?: JsonObject;
}

/**
 * The parts of a connection. `Asks` are the requests that this end may send, `Answers` those that the peer
 * may send.
 */
export interface ConnectionOptions<In, Out, Asks extends RequestTable, Answers extends RequestTable> {
  readonly input: Readable;
  readonly output: Writable;
  readonly translation: Translation<In, Out>;
  readonly asks: Asks;
  /** Whether requests and answers wait one turn of the event loop behind the messages that arrived before them. */
  readonly messagesFirst?: boolean;
  /**
   * Receives each message as it arrives, with its line, instead of `messages`: in order with the peer's
   * requests and with malformed lines. While a promise it returned is pending, reading pauses unless we wait
   * for an answer. Must not throw.
   */
  readonly take?: (message: Exclude<In, Control>, line: string | undefined) => Promise<void> | undefined;
  readonly readRequest: ReadRequest;
  /** Answers the peer's requests; a subtype without a handler is refused at once. */
  readonly handlers?: Handlers<Answers>;
  /** Called for each line that is not a message. The reader continues; whether the program does is up to the owner. */
  readonly onMalformed?: (fault: Malformed, facts: MalformedContext) => void;
  /** Called when the tolerant reader had to repair something. */
  readonly onRepaired?: (type: string, repairs: readonly Repair[]) => void;
  /** Called for each message on arrival, requests and answers included, before anyone handles it; must not throw. */
  readonly onMessage?: (message: In, line: string | undefined) => void;
  /** Called for each line in either direction, as it is on the wire; must not throw. */
  readonly onLine?: (direction: "received" | "sent", line: Line) => void;
  /** Whether withdrawn requests are cancelled at the peer; turn this off for a peer that does not know the message. */
  readonly tellsWithdrawals?: boolean;
  readonly maxLineBytes?: number;
  readonly log?: Log;
}
