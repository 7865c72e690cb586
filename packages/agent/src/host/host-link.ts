import { writeSync } from "node:fs";
import type { Writable } from "node:stream";
import type { AgentMessage, HostConnection, RequestLimits } from "@agentwire/protocol";
import type { agentRequests, ControlRequest, RequestOf, ResponseOf } from "@agentwire/protocol/control";
import { expectationsOf, type HostExpectations } from "./expectations.ts";

type Requests = typeof agentRequests;

/** The link to the host: without a connection, requests to it fail. */
export class HostLink {
  /** What the host expects of turns. */
  expectations: HostExpectations = expectationsOf("claude");
  /** Told of each message as it goes out. */
  onSend: (message: AgentMessage) => void = () => {};
  #connection: HostConnection | undefined;
  #isSilent = false;
  #lastFailed = false;
  #isGone = () => false;
  readonly #listener: (message: AgentMessage) => void;

  /** `listener` gets the messages while there is no connection, for printing a single answer. */
  constructor(listener: (message: AgentMessage) => void = () => {}) {
    this.#listener = listener;
  }

  connect(connection: HostConnection): void {
    this.#connection = connection;
  }

  /** Sends nothing more: the rest of a turn that was cut off is not reported. */
  hangUp(): void {
    this.#isSilent = true;
  }

  /** The host says nothing more; it may be waiting for answers, or it may have died. */
  inputEnded(output: Writable): void {
    this.#isGone = () => isReaderGone(output);
  }

  /** Whether the host has died, as far as can be determined; then waiting prompts are not started. */
  get isGone(): boolean {
    return this.#isGone();
  }

  get isSilent(): boolean {
    return this.#isSilent;
  }

  /** Whether the last turn that the host heard the end of ended badly. */
  get lastFailed(): boolean {
    return this.#lastFailed;
  }

  send(message: AgentMessage): void {
    if (this.#isSilent) return;
    if (message.type === "result") this.#lastFailed = message.is_error;
    this.onSend(message);
    if (this.#connection) this.#connection.send(message);
    else this.#listener(message);
  }

  /** Asks the host; rejects at once where there is none. */
  async request<S extends keyof Requests & string>(
    subtype: S,
    params: RequestOf<Requests, S>,
    limits?: RequestLimits,
  ): Promise<ResponseOf<Requests, S>> {
    if (!this.#connection) throw new Error(`there is no host to answer ${subtype}`);
    return this.#connection.request(subtype, params, limits);
  }

  /** What the host was asked and has not answered yet. */
  get unanswered(): readonly ControlRequest[] {
    return this.#connection?.unanswered ?? [];
  }

  /** A promise while the host reads more slowly than we write. */
  get room(): Promise<void> | undefined {
    return this.#connection?.room;
  }
}

const NOTHING = new Uint8Array(0);

/**
 * Whether the reader of an output is gone. For a socket, which is what Node gives a child for its output, the system reports that to
 * a process that writes nothing; for a pipe it does not, and there the next line finds out.
 */
function isReaderGone(output: Writable & { readonly fd?: unknown }): boolean {
  if (output.destroyed) return true;
  if (typeof output.fd !== "number") return false;
  try {
    writeSync(output.fd, NOTHING);
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPIPE";
  }
}
