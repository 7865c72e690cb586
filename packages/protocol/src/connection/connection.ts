import { randomUUID } from "node:crypto";
import type { ControlRequest, ControlResponse } from "../control/envelope.ts";
import { readResponse } from "../control/read.ts";
import type { RequestOf, RequestTable, ResponseOf } from "../control/request-table.ts";
import { within } from "../deadline.ts";
import { ProtocolError } from "../errors.ts";
import type { JsonObject } from "../json.ts";
import type { Sink } from "../lines/decode.ts";
import { eachChunk } from "../lines/each-chunk.ts";
import { encodeLine } from "../lines/encode.ts";
import { type Line, LineSplitter } from "../lines/lines.ts";
import { Malformed } from "../lines/malformed.ts";
import { parseLine, parseList } from "../lines/parse.ts";
import { RepeatedFrame } from "../lines/repeated-frame.ts";
import { LineWriter } from "../lines/writer.ts";
import { type Log, silentLog } from "../log.ts";
import { Answering } from "./answering.ts";
import { type Control, HeldControls } from "./held-controls.ts";
import type { ConnectionOptions } from "./options.ts";
import { Pace } from "./pace.ts";
import { Pending, type RequestLimits, withdrawn } from "./pending.ts";
import { Queue } from "./queue.ts";

/** The memory that a message costs besides its characters. */
const MESSAGE_OVERHEAD = 256;
/** The minimum time a peer gets to read the last lines when we leave: even a fast peer needs a moment. */
const LAST_WRITES_MS = 1000;

/**
 * One end of the wire, the same for host and agent: messages, and requests in both directions. The reader
 * never waits for a handler, and every request settles, at the latest when the connection ends.
 */
export class Connection<In, Out, Asks extends RequestTable, Answers extends RequestTable> {
  /**
   * The peer's messages other than requests and answers, in order, for a single consumer; nothing is lost
   * before it starts to read. Empty if `take` is given.
   */
  readonly messages: Queue<Exclude<In, Control>> = new Queue();
  /** Resolves when the peer has sent its last message; with the error if reading failed. */
  readonly ended: Promise<ProtocolError | undefined>;
  readonly #options: ConnectionOptions<In, Out, Asks, Answers>;
  readonly #log: Log;
  readonly #writer: LineWriter;
  readonly #pending = new Pending();
  /** Our own requests that the peer has not answered. */
  readonly #asked = new Map<string, ControlRequest>();
  readonly #answering: Answering<Answers>;
  readonly #sink: Sink<In>;
  /** The sink for answers that a dialect gives in the peer's place, which have no line. */
  readonly #ownSink: Sink<In>;
  /** The error for requests made after the connection is over. */
  #over: ProtocolError | undefined;
  /** The line being read: everything the translation finds in it is delivered before the next line. */
  #line: Line = "";
  readonly #repeated = new RepeatedFrame();
  readonly #held = new HeldControls<In>();
  readonly #pace: Pace;

  constructor(options: ConnectionOptions<In, Out, Asks, Answers>) {
    this.#options = options;
    this.#log = options.log ?? silentLog;
    this.#writer = new LineWriter(options.output);
    this.#answering = new Answering(options.readRequest, options.handlers ?? {}, (answer) => {
      const { backlog } = this.#writer;
      this.send(answer as Out);
      this.#pace.answered(backlog);
    });
    this.#pace = new Pace(this.#writer, () => ({
      isOver: this.#over !== undefined,
      untaken: this.messages.weight,
      asked: this.#pending.size,
      answering: this.#answering.size,
    }));
    const sink = (line: () => string | undefined): Sink<In> => ({
      message: (message) => this.#dispatch(message, line()),
      repaired: (type, repairs) => options.onRepaired?.(type, repairs),
      malformed: (fault, value) => this.#refuse(fault, value),
      reply: (value) => this.#write(value),
    });
    this.#sink = sink(() => (typeof this.#line === "string" ? this.#line : undefined));
    this.#ownSink = {
      ...sink(() => undefined),
      message: (message) => {
        this.#dispatch(message, undefined);
        // No line will arrive to trigger this.
        if (this.#held.isHolding) void this.#release();
      },
    };
    this.messages.onTaken = () => this.#pace.changed();
    this.ended = this.#read();
  }

  /** Sends a message; returns the error if it can't be sent. */
  send(message: Out): ProtocolError | undefined {
    let failure: ProtocolError | undefined;
    for (const value of this.#options.translation.encode(message, this.#ownSink))
      failure = this.#write(value) ?? failure;
    return failure;
  }

  /** A promise that is pending while the peer reads more slowly than we write. */
  get room(): Promise<void> | undefined {
    return this.#writer.room;
  }

  /** Whether reading from the peer is paused because its messages are not consumed. */
  get isHoldingBack(): boolean {
    return this.#pace.isHolding;
  }

  /** Sends a request; rejects with a `ProtocolError` that says whether the peer refused, was late, or went away. */
  async request<S extends keyof Asks & string>(
    subtype: S,
    params: RequestOf<Asks, S>,
    limits: RequestLimits = {},
  ): Promise<ResponseOf<Asks, S>> {
    if (this.#over) throw this.#over;
    if (limits.signal?.aborted) throw withdrawn(limits.signal);
    const id = randomUUID();
    const answer = this.#pending.open(id, limits, () => {
      if (this.#options.tellsWithdrawals !== false)
        this.send({ type: "control_cancel_request", request_id: id } as Out);
    });
    this.#pace.changed();
    const asked: ControlRequest = {
      type: "control_request",
      request_id: id,
      request: { subtype, ...params },
    };
    this.#asked.set(id, asked);
    try {
      const failure = this.send(asked as Out);
      if (failure) this.#pending.refuse(id, failure);
    } catch (error) {
      this.#pending.refuse(id, error as ProtocolError);
    }
    const answered = await answer.finally(() => this.#asked.delete(id));
    const shape: Asks[S] | undefined = this.#options.asks[subtype];
    // A request that is newer than the table: its answer is passed on unread.
    if (!shape) return answered as ResponseOf<Asks, S>;
    const read = readResponse(shape, answered);
    if (!read.ok) throw new ProtocolError("invalid_answer", read.reason);
    return read.response as ResponseOf<Asks, S>;
  }

  /** Our requests that the peer has not answered yet, in the order they were sent. */
  get unanswered(): readonly ControlRequest[] {
    return [...this.#asked.values()];
  }

  /** Resolves when everything sent so far has been handed to the system. */
  async flushed(): Promise<void> {
    await this.#writer.flushed();
  }

  /**
   * Waits up to the deadline until no request is open in either direction, then closes. A peer that does not
   * read within the same time again, or at least a second, loses what it has not read.
   */
  async drain(deadlineMs: number): Promise<void> {
    await within(deadlineMs, (late) => this.#idle(late));
    const closed = this.close();
    const inTime = await within(Math.max(deadlineMs, LAST_WRITES_MS), () => closed);
    if (!inTime) this.#options.output.destroy();
    await closed;
  }

  /**
   * Ends our direction and settles everything that is open. Lines sent earlier are still written, as slowly
   * as the peer reads them. The peer's remaining output is read to its end and discarded.
   */
  async leave(): Promise<void> {
    const reason = new ProtocolError("closed", "the connection was closed");
    this.#over = reason;
    this.#pending.failAll(reason);
    this.#answering.cancelAll(reason);
    this.messages.end();
    this.#pace.changed();
    await this.#writer.end();
  }

  /** Ends both directions, ours first: the peer may have to write before it reads on. */
  async close(): Promise<void> {
    await this.leave();
    this.#options.input.destroy();
    await this.ended;
  }

  async #idle(signal: AbortSignal): Promise<void> {
    // A handler that ends may leave a request open, and vice versa.
    while (!signal.aborted && this.#pending.size + this.#answering.size > 0)
      await Promise.all([this.#pending.idle(), this.#answering.idle()]);
  }

  async #read(): Promise<ProtocolError | undefined> {
    let failure: ProtocolError | undefined;
    try {
      const splitter = new LineSplitter(this.#options.maxLineBytes);
      await eachChunk(this.#options.input, (chunk) => this.#take(splitter.push(chunk)));
      await this.#take(splitter.end());
    } catch (cause) {
      if (!this.#over) failure = new ProtocolError("closed", "reading from the peer failed", { cause });
    }
    this.#over ??= failure ?? new ProtocolError("closed", "the peer went away");
    // Our own requests can't be answered any more, but the peer's can: it may have closed its end only to say
    // "no more prompts".
    this.#pending.failAll(this.#over);
    this.messages.end();
    return failure;
  }

  /** Reads lines; returns a promise if reading must pause. */
  #take(lines: readonly Line[], from = 0): Promise<void> | undefined {
    for (let index = from; index < lines.length; index++) {
      this.#receive(lines[index] as Line);
      if (this.#held.isHolding) return this.#release().then(() => this.#take(lines, index + 1));
    }
    return this.#pace.wait();
  }

  #release(): Promise<void> {
    return this.#held.release(({ message, line }) => this.#dispatch(message, line));
  }

  #receive(line: Line): void {
    this.#options.onLine?.("received", line);
    // We have closed: no handler may run any more.
    if (this.#over) return;
    this.#line = line;
    const value = parseLine(line, this.#repeated);
    const { translation } = this.#options;
    if (!(value instanceof Malformed)) translation.decode(value, this.#sink);
    else if (!translation.decodeList?.(parseList(line), this.#sink)) this.#refuse(value);
  }

  #dispatch(message: In, line: string | undefined): void {
    if (this.#over || (this.#options.messagesFirst && this.#held.keeps(message, line))) return;
    this.#options.onMessage?.(message, line);
    const control = message as Control;
    switch (control.type) {
      case "control_request":
        this.#answering.take(control, line);
        return;
      case "control_response":
        this.#settle(control);
        return;
      case "control_cancel_request":
        this.#answering.cancel(
          control.request_id,
          new ProtocolError("aborted", "the peer withdrew its request"),
        );
        return;
      default:
        this.#deliver(message as Exclude<In, Control>, line);
    }
  }

  #deliver(message: Exclude<In, Control>, line: string | undefined): void {
    const { take } = this.#options;
    if (take) {
      const room = take(message, line);
      if (room) this.#pace.holdFor(room);
    } else this.messages.push(message, MESSAGE_OVERHEAD + (line?.length ?? 0));
  }

  #settle({ response }: ControlResponse): void {
    const settled =
      response.subtype === "success"
        ? this.#pending.answer(response.request_id, response.response ?? {})
        : this.#pending.refuse(
            response.request_id,
            new ProtocolError("refused", response.error, { errorCode: response.error_code }),
          );
    // Late, repeated and unexpected answers do occur: agents before 2.1 answer some requests twice.
    if (!settled) this.#log.debug("an answer without an open request", { request_id: response.request_id });
  }

  #refuse(fault: Malformed, value?: JsonObject): void {
    this.#log.warn("a line that is not a message", { code: fault.code, reason: fault.reason });
    const words = this.#options.translation.refuse?.(fault) ?? [];
    for (const word of words) this.#write(word);
    this.#options.onMalformed?.(fault, {
      told: words.length > 0,
      line: this.#line,
      ...(value && { value }),
    });
  }

  #write(value: unknown): ProtocolError | undefined {
    const line = encodeLine(value);
    const failure = this.#writer.write(line);
    if (!failure) this.#options.onLine?.("sent", line.slice(0, -1));
    return failure;
  }
}
