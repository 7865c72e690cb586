import type { Client, ClientBase } from "pg";
import type { NodeRow, NodeState, Ownership } from "../nodes.ts";
import type { Read } from "./connection.ts";
import { MIGRATIONS } from "./schema.ts";

/** The identity of a daemon among those that use the same database. */
export interface NodeName {
  /** Stays the same as long as the daemon's folder exists. */
  readonly id: string;
  /** A display name. */
  readonly name: string;
  readonly version: string;
  /** Whether sessions in a folder can continue on other nodes. */
  readonly isShared: (cwd: string) => boolean;
  /** Whether there is any such folder. */
  readonly sharesFolders: boolean;
}

/** A node with its current epoch. */
export interface Node {
  readonly id: string;
  readonly epoch: number;
}

/** How long a node counts as alive after its last heartbeat. */
export const LEASE_MS = 10_000;
const LEASE = `interval '${LEASE_MS} milliseconds'`;
/** The advisory locks that nodes hold while they are connected: "agtn" as a number. */
const LIFE = 0x6167746e;
/** The table version since which events are packed. */
const PACKED_SINCE = 8;
/** How long a takeover waits for a commit of the dead node. */
const PATIENCE = "3s";

/** Joins a database with a new epoch: an earlier daemon of the same node can write nothing more. */
export async function join(client: Client, { id, name, version }: NodeName, address: string): Promise<Node> {
  return within(client, async () => {
    // A commit that has checked the old epoch completes first.
    await client.query("SELECT FROM nodes WHERE id = $1 FOR UPDATE", [id]);
    const { rows } = await client.query<{ epoch: number }>(
      `INSERT INTO nodes (id, epoch, address, expires, name, version, tables)
       VALUES ($1, 1, $2, now() + ${LEASE}, $3, $4, ${MIGRATIONS.length})
       ON CONFLICT (id) DO UPDATE SET epoch = nodes.epoch + 1, address = $2, expires = excluded.expires, name = $3,
         version = $4, taken_by = NULL, draining = false, tables = excluded.tables
       RETURNING epoch`,
      [id, address, name, version],
    );
    // Each commit changes this row, so that a query for it waits for a commit in progress.
    await client.query("INSERT INTO commits VALUES ($1, 0, 0) ON CONFLICT DO NOTHING", [id]);
    return { id, epoch: rows[0]?.epoch ?? 0 };
  });
}

/** Takes the lock whose release shows other nodes at once that this process has ended. */
export async function holdLife(client: Client, id: string): Promise<void> {
  await client.query(`SELECT pg_advisory_lock_shared(${LIFE}, hashtext($1))`, [id]);
}

/** Sends a heartbeat; false if another daemon has taken over. */
export async function renew(
  client: Client,
  { id, epoch }: Node,
  address: string,
  { processes, maxProcesses, isDraining, clientAddress }: NodeState,
): Promise<boolean> {
  const { rowCount } = await client.query(
    `UPDATE nodes SET expires = now() + ${LEASE}, address = $3, processes = $4, max_processes = $5, draining = $6,
       client_address = $7 WHERE id = $1 AND epoch = $2`,
    [id, epoch, address, processes, maxProcesses, isDraining, clientAddress],
  );
  return rowCount === 1;
}

/** Whether every node that may still be running can read rows with several events. */
export async function allUnpack(client: Client): Promise<boolean> {
  const { rows } = await client.query(
    `SELECT FROM nodes WHERE tables < ${PACKED_SINCE} AND expires > now() - interval '1 day' LIMIT 1`,
  );
  return rows.length === 0;
}

/** Announces the end of this daemon, so that another one need not wait for the lease to expire. */
export async function leave(client: Client, { id, epoch }: Node): Promise<void> {
  await client.query("UPDATE nodes SET expires = now() WHERE id = $1 AND epoch = $2", [id, epoch]);
}

/** Whether the epoch of a node was raised by another node, rather than by a second daemon of the same node. */
export async function wasTakenOver(client: Client, id: string): Promise<boolean> {
  const { rows } = await client.query("SELECT FROM nodes WHERE id = $1 AND taken_by IS NOT NULL", [id]);
  return rows.length > 0;
}

/** A node that may be dead. */
export interface Suspect {
  readonly id: string;
  readonly epoch: number;
  readonly address: string;
  /** Whether its lease has expired; otherwise it has only lost its connection. */
  readonly isExpired: boolean;
}

const HAS_LIFE = `EXISTS (SELECT FROM pg_locks WHERE locktype = 'advisory' AND classid = ${LIFE} AND objsubid = 2
  AND objid = (hashtext(n.id)::bigint & 4294967295)::oid
  AND database = (SELECT oid FROM pg_database WHERE datname = current_database()))`;

/** The other nodes that have lost their lock, or whose lease has expired. */
export async function suspects(client: Client, id: string): Promise<readonly Suspect[]> {
  const { rows } = await client.query<Suspect>(
    `SELECT n.id, n.epoch, n.address, n.expires < now() AS "isExpired" FROM nodes AS n
     WHERE n.id <> $1 AND n.taken_by IS NULL AND (n.expires < now() OR NOT ${HAS_LIFE})`,
    [id],
  );
  return rows;
}

/**
 * Takes over from a dead node: raises its epoch, so that it can write nothing more, and takes ownership of the sessions that any node can
 * continue. Undefined if another node was faster, or the node is back.
 */
export function takeOver(client: Client, node: Node, dead: Suspect): Promise<readonly string[] | undefined> {
  return within(client, async () => {
    await client.query(`SET LOCAL lock_timeout = '${PATIENCE}'`);
    await client.query("SELECT prove_epoch($1, $2)", [node.id, node.epoch]);
    const found = await client.query(
      `SELECT FROM nodes AS n WHERE id = $1 AND epoch = $2 AND taken_by IS NULL AND (expires < now() OR NOT ${HAS_LIFE})
       FOR UPDATE`,
      [dead.id, dead.epoch],
    );
    if (found.rows.length === 0) return undefined;
    await client.query(
      "UPDATE nodes SET epoch = epoch + 1, taken_by = $2, expires = least(expires, now()), processes = 0 WHERE id = $1",
      [dead.id, node.id],
    );
    const { rows } = await client.query<{ id: string }>(
      "UPDATE sessions SET owner = $2 WHERE owner = $1 AND workspace <> 'pinned' RETURNING id",
      [dead.id, node.id],
    );
    return rows.map(({ id }) => id);
  });
}

/** Gives a session of this node to a live one. */
export function giveAway(client: Client, node: Node, sessionId: string, to: string): Promise<boolean> {
  return within(client, async () => {
    await client.query("SELECT prove_epoch($1, $2)", [node.id, node.epoch]);
    const { rowCount } = await client.query(
      `UPDATE sessions SET owner = $3 WHERE id = $1 AND owner = $2
       AND EXISTS (SELECT FROM nodes WHERE id = $3 AND expires > now() AND taken_by IS NULL)`,
      [sessionId, node.id, to],
    );
    return rowCount === 1;
  });
}

/** Takes a session whose node was taken over and has not returned. */
export function seize(client: Client, node: Node, sessionId: string): Promise<boolean> {
  return within(client, async () => {
    await client.query("SELECT prove_epoch($1, $2)", [node.id, node.epoch]);
    const { rowCount } = await client.query(
      `UPDATE sessions AS s SET owner = $2 WHERE id = $1
       AND NOT EXISTS (SELECT FROM nodes WHERE id = s.owner AND taken_by IS NULL)`,
      [sessionId, node.id],
    );
    return rowCount === 1;
  });
}

/** All nodes, live ones first. */
export function nodesIn(read: Read): Promise<readonly NodeRow[]> {
  return read<NodeRow>(
    `SELECT n.id, n.name, n.address, n.version, n.draining AS "isDraining", n.processes, n.max_processes AS "maxProcesses",
       n.client_address AS "clientAddress",
       n.expires > now() AND n.taken_by IS NULL AS "isAlive",
       CASE WHEN n.taken_by IS NULL THEN greatest(0, extract(epoch FROM n.expires - now()) * 1000)::int ELSE 0 END AS "leaseMs",
       (SELECT count(*) FROM sessions WHERE owner = n.id AND deleted_ms IS NULL)::int AS sessions
     FROM nodes AS n ORDER BY "isAlive" DESC, n.name, n.id`,
  );
}

/** The node that a session belongs to. */
export async function ownershipOf(read: Read, sessionId: string): Promise<Ownership | undefined> {
  const [row] = await read<Ownership>(
    `SELECT owner, workspace <> 'pinned' AS "isShared" FROM sessions WHERE id = $1`,
    sessionId,
  );
  return row;
}

/** Runs `act` in one transaction. */
async function within<T>(client: ClientBase, act: () => Promise<T>): Promise<T> {
  await client.query("BEGIN");
  try {
    const done = await act();
    await client.query("COMMIT");
    return done;
  } catch (error) {
    await client.query("ROLLBACK").catch(() => {});
    throw error;
  }
}
