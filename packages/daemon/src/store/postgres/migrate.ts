import type { Client } from "pg";
import { StoreError } from "../store-error.ts";
import { MIGRATIONS } from "./schema.ts";

/** The advisory lock for changing the tables: "agtd" as a number. */
const LOCK = 0x61677464;

/** Upgrades the tables; nodes that start at once do this one after the other, and all but the first find nothing to do. */
export async function migrate(client: Client, place: string): Promise<void> {
  await client.query("BEGIN");
  try {
    await client.query(`SELECT pg_advisory_xact_lock(${LOCK})`);
    await client.query("CREATE TABLE IF NOT EXISTS agentwire (version int NOT NULL)");
    const { rows } = await client.query<{ version: number }>("SELECT version FROM agentwire");
    const version = rows[0]?.version ?? 0;
    if (version > MIGRATIONS.length)
      throw new StoreError("foreign", `${place} was written by a newer daemon: run that version`);
    for (const sql of MIGRATIONS.slice(version)) await client.query(sql);
    if (rows.length === 0) await client.query("INSERT INTO agentwire VALUES (0)");
    if (version < MIGRATIONS.length)
      await client.query(`UPDATE agentwire SET version = ${MIGRATIONS.length}`);
    await client.query("COMMIT");
  } catch (error) {
    await client.query("ROLLBACK").catch(() => {});
    throw error;
  }
}
