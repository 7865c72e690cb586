import type { Log } from "@agentwire/protocol/support";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import type { JSONRPCMessage } from "@modelcontextprotocol/sdk/types.js";
import type { SharedConnection } from "./shared-connection.ts";

/** One session's transport to a server over a connection shared with other sessions. */
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

  /** Keeps new sessions from joining this connection, because one of its sessions wants a new one. */
  retire(): void {
    this.#connection.retire();
  }

  /** Leaves the connection to the other sessions. */
  async close(): Promise<void> {
    this.#connection.leave(this);
    this.closed();
  }

  /** Called when the connection has been lost. */
  closed(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.onclose?.();
  }
}
