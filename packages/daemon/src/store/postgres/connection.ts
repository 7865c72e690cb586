import type { Client, ClientConfig, Pool, QueryResultRow } from "pg";
import { storable } from "../storable.ts";
import { StoreError } from "../store-error.ts";
import { toStoreError } from "./postgres-error.ts";
import { placeOf, serversIn } from "./server-list.ts";

/** A statement with its values. */
export interface PgStatement {
  readonly text: string;
  readonly values: readonly unknown[];
}

/** How long connecting may take. */
const CONNECT_MS = 5000;
/** How long a read may take. */
const READ_MS = 30_000;
const MAX_READERS = 4;
/** How long a transaction may be idle: a hanging node must not keep others from taking over. */
const IDLE_MS = 3000;
const INT8 = 20;

/** The library, loaded only by daemons that use a server. */
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
      // Event numbers and milliseconds are far below 2 ** 53.
      getTypeParser: ((oid: number, format: "text") =>
        oid === INT8 ? Number : types.getTypeParser(oid, format)) as typeof types.getTypeParser,
    },
  };
}

/** The server of each URL that was the primary when it was last determined. */
const PRIMARIES = new Map<string, string>();

/** Connects to the primary for writing, with pipelining: statements are sent without waiting for answers. Rejects with a `StoreError`. */
export async function connect(url: string): Promise<Client> {
  const servers = serversIn(url);
  const known = PRIMARIES.get(url);
  let failure: unknown;
  for (const server of known === undefined ? servers : new Set([known, ...servers])) {
    try {
      const client = await connectTo(server, CONNECT_MS / servers.length);
      if (servers.length === 1 || !(await isStandby(client))) {
        PRIMARIES.set(url, server);
        return client;
      }
      await client.end().catch(() => {});
      failure ??= new StoreError(
        "unreachable",
        `${placeOf(server)} is a standby, and no primary can be reached`,
      );
    } catch (cause) {
      failure = toStoreError(cause, placeOf(url));
    }
  }
  throw failure;
}

async function connectTo(server: string, connectionTimeoutMillis: number): Promise<Client> {
  const pg = await library();
  const client = new pg.Client({
    ...(await configOf(server)),
    connectionTimeoutMillis,
    pipeline: true,
    idle_in_transaction_session_timeout: IDLE_MS,
  });
  // The caller of a pending statement gets the error.
  client.on("error", () => {});
  await client.connect();
  return client;
}

async function isStandby(client: Client): Promise<boolean> {
  const { rows } = await client.query<{ is: boolean }>("SELECT pg_is_in_recovery() AS is");
  return rows[0]?.is === true;
}

/** Connections for reading from the current primary; each is opened when needed. */
export interface Readers {
  query<R extends QueryResultRow>(statement: ReturnType<typeof prepared>): Promise<{ rows: R[] }>;
  end(): Promise<void>;
}

export async function openReaders(url: string): Promise<Readers> {
  const primary = () => PRIMARIES.get(url) ?? serversIn(url)[0];
  let server = primary();
  let pool = await poolFor(server);
  return {
    async query(statement) {
      if (server !== primary()) {
        const old = pool;
        server = primary();
        pool = await poolFor(server);
        void old.end().catch(() => {});
      }
      return pool.query(statement);
    },
    end: () => pool.end(),
  };
}

async function poolFor(server: string): Promise<Pool> {
  const pg = await library();
  const pool = new pg.Pool({
    ...(await configOf(server)),
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

/** A statement in the library's form: it is prepared once per connection. */
export function prepared({ text, values }: PgStatement) {
  const known = NAMES.get(text);
  const name = known ?? `aw${NAMES.size + 1}`;
  if (!known) NAMES.set(text, name);
  return { name, text, values: values.map((value) => (typeof value === "string" ? storable(value) : value)) };
}

const NAMES = new Map<string, string>();
