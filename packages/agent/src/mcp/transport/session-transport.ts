import type { Log } from "@agentwire/protocol/support";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import type { JSONRPCMessage } from "@modelcontextprotocol/sdk/types.js";
import type { SharedConnection } from "./shared-connection.ts";

/** The way of one session to a server over a connection that it shares with others. */
export class SessionTransport implements Transport {
  onmessage?: Transport["onmessage"];
  onclose?: Transport["onclose"];
  onerror?: Transport["onerror"];
  readonly log: Log;
  readonly #connection: SharedConnection;
  #isClosed = false;

  constructor(connection: SharedConnection, log: Log) {
    this.#connection = connection;
    this.log = log;
    connection.join(this);
  }

  get endReason(): string | undefined {
    return this.#connection.endReason;
  }

  start(): Promise<void> {
    return this.#connection.started;
  }

  send(message: JSONRPCMessage): Promise<void> {
    return this.#connection.send(this, message);
  }

  /** Keeps sessions that connect from now on away from this connection: one of its sessions wants another. */
  retire(): void {
    this.#connection.retire();
  }

  /** Leaves the connection to the others. */
  async close(): Promise<void> {
    this.#connection.leave(this);
    this.closed();
  }

  /** Takes note that there is no connection any more. */
  closed(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.onclose?.();
  }
}
