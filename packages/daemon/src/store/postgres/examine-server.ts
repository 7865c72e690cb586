import { connect } from "./connection.ts";

/** Facts about a server that may become a store. */
export interface ServerFacts {
  /** A number such as 150006. */
  readonly version: number;
  readonly versionName: string;
  /** Whether tables can be created and changed. */
  readonly mayCreate: boolean;
  /** How far its clock is ahead of this machine's, in milliseconds. */
  readonly aheadMs: number;
  /** The median time of a few round trips. */
  readonly latencyMs: number;
  /** Whether it is a standby. */
  readonly isStandby: boolean;
  readonly synchronousCommit: string;
  /** How many standbys follow it, and how many of them every commit waits for; undefined without the permission to see this. */
  readonly standbys: number;
  readonly synchronousStandbys: number;
}

const ROUNDS = 5;

/** Examines a server without changing it; throws a `StoreError` if it can't be reached. */
export async function examineServer(url: string): Promise<ServerFacts> {
  const client = await connect(url);
  try {
    const times: number[] = [];
    let aheadMs = 0;
    for (let round = 0; round < ROUNDS; round++) {
      const sent = performance.now();
      const { rows } = await client.query<{ ms: number }>(
        "SELECT extract(epoch FROM clock_timestamp()) * 1000 AS ms",
      );
      times.push(performance.now() - sent);
      aheadMs = Number(rows[0]?.ms) + (times.at(-1) ?? 0) / 2 - Date.now();
    }
    const { rows } = await client.query<Omit<ServerFacts, "aheadMs" | "latencyMs">>(FACTS);
    return {
      ...(rows[0] as Omit<ServerFacts, "aheadMs" | "latencyMs">),
      aheadMs: Math.round(aheadMs),
      latencyMs: times.sort((one, other) => one - other)[ROUNDS >> 1] ?? 0,
    };
  } finally {
    await client.end().catch(() => {});
  }
}

const FACTS = `
SELECT current_setting('server_version_num')::int AS version, current_setting('server_version') AS "versionName",
  has_schema_privilege(current_schema(), 'CREATE') AS "mayCreate", pg_is_in_recovery() AS "isStandby",
  current_setting('synchronous_commit') AS "synchronousCommit",
  (SELECT count(*)::int FROM pg_stat_replication) AS standbys,
  (SELECT count(*)::int FROM pg_stat_replication WHERE sync_state IN ('sync', 'quorum')) AS "synchronousStandbys"`;
