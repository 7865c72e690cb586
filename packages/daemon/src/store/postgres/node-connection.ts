import type { Client } from "pg";
import type { SharedBook } from "../nodes.ts";
import { StoreError } from "../store-error.ts";
import { connect } from "./connection.ts";
import { holdLife } from "./node.ts";
import { isReadOnly } from "./postgres-error.ts";

/** The channel on which nodes announce their changes. */
export const CHANNEL = "agentwire";

/** How long the server may take to answer before the connection counts as lost; a takeover waits for less. */
const QUERY_MS = 5000;

interface NodeConnectionOptions {
  readonly nodeId: () => string;
  /** Called when another node has changed something that this one caches. */
  readonly onBook: (book: SharedBook) => void;
}

/** A node's dedicated connection, by which other nodes see that it is alive; it reconnects when it breaks. */
export class NodeConnection {
  readonly #url: string;
  readonly #options: NodeConnectionOptions;
  #client: Client | undefined;
  /** Serializes the use of the connection. */
  #queue: Promise<unknown> = Promise.resolve();

  constructor(url: string, client: Client, options: NodeConnectionOptions) {
    this.#url = url;
    this.#options = options;
    this.#adopt(client);
  }

  /** Shows other nodes that this one is alive, and listens for their changes. */
  async listen(client: Client): Promise<void> {
    await holdLife(client, this.#options.nodeId());
    await client.query(`LISTEN ${CHANNEL}`);
  }

  /** Uses the connection exclusively; reconnects if necessary. */
  alone<T>(act: (client: Client) => Promise<T>): Promise<T> {
    const done = this.#queue.then(async () => {
      const client = this.#client ?? (await this.#reconnected());
      const drop = () => this.#drop(client);
      const acted = act(client);
      // A primary that has become a standby accepts no writes any more.
      acted.catch((cause: unknown) => isReadOnly(cause) && drop());
      // A connection that was cut silently never answers.
      return inTime(QUERY_MS, acted, drop);
    });
    this.#queue = done.catch(() => {});
    return done;
  }

  async close(): Promise<void> {
    const client = this.#client;
    this.#client = undefined;
    await client?.end().catch(() => {});
  }

  #adopt(client: Client): void {
    this.#client = client;
    client.on("notification", ({ payload = "" }) => this.#heard(payload));
    client.once("end", () => {
      if (this.#client === client) this.#client = undefined;
    });
  }

  #drop(client: Client): void {
    if (this.#client === client) this.#client = undefined;
    void client.end().catch(() => {});
  }

  #heard(payload: string): void {
    const [book, from] = payload.split(" ");
    if (from !== this.#options.nodeId()) this.#options.onBook(book as SharedBook);
  }

  async #reconnected(): Promise<Client> {
    const client = await connect(this.#url);
    this.#adopt(client);
    const drop = () => this.#drop(client);
    const listening = this.listen(client);
    // Otherwise other nodes would not see that this one is alive.
    listening.catch(drop);
    await inTime(QUERY_MS, listening, drop);
    // Announcements in the meantime were missed.
    for (const book of ["rules", "tokens", "budgets"] as const) this.#options.onBook(book);
    return client;
  }
}

/** A result with a deadline; after it, calls `onLate` and rejects with `unreachable`. */
export async function inTime<T>(ms: number, done: Promise<T>, onLate: () => void): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      onLate();
      reject(new StoreError("unreachable", `the server has not answered for ${ms / 1000} s`));
    }, ms);
  });
  try {
    return await Promise.race([done, late]);
  } finally {
    clearTimeout(timer);
    done.catch(() => {});
  }
}
