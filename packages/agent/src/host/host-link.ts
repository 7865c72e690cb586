import { writeSync } from "node:fs";
import type { Writable } from "node:stream";
import type { AgentMessage, HostConnection, RequestLimits } from "@agentwire/protocol";
import type { agentRequests, ControlRequest, RequestOf, ResponseOf } from "@agentwire/protocol/control";
import { expectationsOf, type HostExpectations } from "./expectations.ts";

type Requests = typeof agentRequests;

/** The link to the host. Without a connection, requests to the host fail. */
export class HostLink {
  /** What the host expects of turns. */
  expectations: HostExpectations = expectationsOf("claude");
  /** Called with each message that is sent. */
  onSend: (message: AgentMessage) => void = () => {};
  #connection: HostConnection | undefined;
  #isSilent = false;
  #lastFailed = false;
  #isGone = () => false;
  readonly #listener: (message: AgentMessage) => void;

  /** `listener` gets the messages while there is no connection, as when printing a single answer. */
  constructor(listener: (message: AgentMessage) => void = () => {}) {
    this.#listener = listener;
  }

  connect(connection: HostConnection): void {
    this.#connection = connection;
  }

  /** Stops sending: the rest of an aborted turn is not reported. */
  hangUp(): void {
    this.#isSilent = true;
  }

  /** The host sends no more input: it may be waiting for answers, or it may have died. */
  inputEnded(output: Writable): void {
    this.#isGone = () => isReaderGone(output);
  }

  /** Whether the host is known to have died; if so, waiting prompts are not started. */
  get isGone(): boolean {
    return this.#isGone();
  }

  get isSilent(): boolean {
    return this.#isSilent;
  }

  /** Whether the last result sent to the host was an error. */
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

  /** Sends a request to the host; rejects at once if there is no connection. */
  async request<S extends keyof Requests & string>(
    subtype: S,
    params: RequestOf<Requests, S>,
    limits?: RequestLimits,
  ): Promise<ResponseOf<Requests, S>> {
    if (!this.#connection) throw new Error(`there is no host to answer ${subtype}`);
    return this.#connection.request(subtype, params, limits);
  }

  /** The requests that the host has not answered yet. */
  get unanswered(): readonly ControlRequest[] {
    return this.#connection?.unanswered ?? [];
  }

  /** A promise to wait for while the host reads more slowly than we write. */
  get room(): Promise<void> | undefined {
    return this.#connection?.room;
  }
}

const NOTHING = new Uint8Array(0);

/**
 * Whether the reader of an output is gone. An empty write reveals that for a socket, which Node uses for the output of a child
 * process, but not for a pipe, where only the next line does.
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
