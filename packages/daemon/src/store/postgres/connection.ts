import type { Client, ClientConfig, Pool, QueryResultRow } from "pg";
import { storable } from "../storable.ts";
import { StoreError } from "../store-error.ts";
import { toStoreError } from "./postgres-error.ts";

/** A statement with its values. */
export interface PgStatement {
  readonly text: string;
  readonly values: readonly unknown[];
}

/** How long a connection may take to be made. */
const CONNECT_MS = 5000;
/** How long a read may take. */
const READ_MS = 30_000;
const MAX_READERS = 4;
/** How long a transaction may stand still: that of a node that hangs must not keep others from taking over. */
const IDLE_MS = 3000;
const INT8 = 20;

/** The library, which only a daemon that uses a server loads. */
async function library() {
  try {
    return (await import("pg")).default;
  } catch (cause) {
    throw new StoreError("failed", "a store on PostgreSQL needs the package pg: npm install pg", { cause });
  }
}

async function configOf(url: string): Promise<ClientConfig> {
  const { types } = await library();
  return {
    connectionString: url,
    application_name: "agentwire",
    connectionTimeoutMillis: CONNECT_MS,
    keepAlive: true,
    types: {
      // Numbers of events and milliseconds are far below 2 ** 53.
      getTypeParser: ((oid: number, format: "text") =>
        oid === INT8 ? Number : types.getTypeParser(oid, format)) as typeof types.getTypeParser,
    },
  };
}

/** Connects for writing: what is sent while a statement runs does not wait for its answer. Rejects with a `StoreError`. */
export async function connect(url: string): Promise<Client> {
  const pg = await library();
  const client = new pg.Client({
    ...(await configOf(url)),
    pipeline: true,
    idle_in_transaction_session_timeout: IDLE_MS,
  });
  // Whoever waits for an answer hears of it.
  client.on("error", () => {});
  try {
    await client.connect();
    return client;
  } catch (cause) {
    throw toStoreError(cause, placeOf(url));
  }
}

/** Connections for reading; each is made when it is needed. */
export async function openReaders(url: string): Promise<Pool> {
  const pg = await library();
  const pool = new pg.Pool({
    ...(await configOf(url)),
    max: MAX_READERS,
    query_timeout: READ_MS,
    // Without statistics the planner would sort a whole session for each page of its events.
    onConnect: async (client) => void (await client.query("SET enable_bitmapscan = off")),
  });
  pool.on("error", () => {});
  return pool;
}

/** Reads rows; rejects with a `StoreError`. */
export type Read = <R extends QueryResultRow>(text: string, ...values: readonly unknown[]) => Promise<R[]>;

/** A statement as the library takes it: it is prepared once on each connection. */
export function prepared({ text, values }: PgStatement) {
  const known = NAMES.get(text);
  const name = known ?? `aw${NAMES.size + 1}`;
  if (!known) NAMES.set(text, name);
  return { name, text, values: values.map((value) => (typeof value === "string" ? storable(value) : value)) };
}

const NAMES = new Map<string, string>();

/** An address without what is secret in it. */
export function placeOf(url: string): string {
  try {
    const { protocol, hostname, port, pathname } = new URL(url);
    return `${protocol}//${hostname}${port === "" ? "" : `:${port}`}${pathname}`;
  } catch {
    return "the PostgreSQL server";
  }
}
