import type { Log } from "@agentwire/protocol/support";
import type { Client, Pool } from "pg";
import { StoreError } from "../store-error.ts";

/** Who a daemon is among those that use the same database. */
export interface NodeName {
  /** The same for as long as the folder of the daemon is. */
  readonly id: string;
  /** Where others reach it. */
  readonly address: string;
}

/** A node as it has proved itself. */
export interface Node extends NodeName {
  readonly epoch: number;
}

/** For how long a node counts as alive after its last sign of life. */
const LEASE = "10 seconds";
/** How often a node gives a sign of life. */
export const RENEW_MS = 2000;

/**
 * Begins to use a database: with a new epoch, so that nothing is written any more by an earlier daemon of the same node. A database has
 * one daemon at a time; the sessions of one that is gone are taken over. Throws a `StoreError` while another one is alive.
 */
export async function join(
  client: Client,
  { id, address }: NodeName,
  place: string,
  log: Log,
): Promise<Node> {
  await client.query("BEGIN");
  try {
    await client.query("LOCK TABLE nodes IN SHARE ROW EXCLUSIVE MODE");
    const others = await client.query<{ id: string; address: string }>(
      "SELECT id, address FROM nodes WHERE id <> $1 AND expires > now()",
      [id],
    );
    const [other] = others.rows;
    if (other)
      throw new StoreError(
        "busy",
        `another daemon (${other.address}) uses ${place}: stop it first, or give this one another database`,
      );
    const { rows } = await client.query<{ epoch: number }>(
      `INSERT INTO nodes (id, epoch, address, expires) VALUES ($1, 1, $2, now() + interval '${LEASE}')
       ON CONFLICT (id) DO UPDATE SET epoch = nodes.epoch + 1, address = $2, expires = excluded.expires
       RETURNING epoch`,
      [id, address],
    );
    await client.query("UPDATE nodes SET epoch = epoch + 1 WHERE id <> $1", [id]);
    const taken = await client.query("UPDATE sessions SET owner = $1 WHERE owner <> $1", [id]);
    await client.query("COMMIT");
    if (taken.rowCount) log.info("sessions of other nodes were taken over", { sessions: taken.rowCount });
    return { id, address, epoch: rows[0]?.epoch ?? 0 };
  } catch (error) {
    await client.query("ROLLBACK").catch(() => {});
    throw error;
  }
}

/** A sign of life; false if another daemon has taken over. */
export async function renew(readers: Pool, { id, epoch }: Node): Promise<boolean> {
  const { rowCount } = await readers.query(
    `UPDATE nodes SET expires = now() + interval '${LEASE}' WHERE id = $1 AND epoch = $2`,
    [id, epoch],
  );
  return rowCount === 1;
}

/** Says that nothing comes any more, so that another daemon need not wait for the end of the lease. */
export async function leave(readers: Pool, { id, epoch }: Node): Promise<void> {
  await readers.query("UPDATE nodes SET expires = now() WHERE id = $1 AND epoch = $2", [id, epoch]);
}
