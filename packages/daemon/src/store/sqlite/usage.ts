import { type Amount, type Tokens, ZERO } from "../amount.ts";
import type { StoredUsage } from "../store.ts";
import type { UsageQuery } from "../usage-query.ts";
import type { Database, SqlValue } from "./database.ts";

const SUMS = `ifnull(sum(input_tokens), 0) AS inputTokens, ifnull(sum(output_tokens), 0) AS outputTokens,
  ifnull(sum(cache_creation_input_tokens), 0) AS cacheCreationInputTokens,
  ifnull(sum(cache_read_input_tokens), 0) AS cacheReadInputTokens,
  sum(cost_usd) AS costUsd, ifnull(max(is_incomplete), 0) AS isIncomplete`;

type Sums = Tokens & { readonly key: string; readonly costUsd: number | null; readonly isIncomplete: number };

const amountOf = ({ key: _, costUsd, isIncomplete, ...tokens }: Sums): Amount => ({
  ...ZERO,
  ...tokens,
  costUsd: costUsd ?? undefined,
  isIncomplete: isIncomplete === 1,
});

/** The total usage of a session. */
export function usageOfSession(db: Database, sessionId: string): Amount {
  const row = db.statement(`SELECT '' AS key, ${SUMS} FROM usage WHERE session_id = ?`).get(sessionId);
  return amountOf(row as unknown as Sums);
}

/** The model that a session used most on its last day with usage; empty if there was none. */
export function lastModelOf(db: Database, sessionId: string): string {
  const row = db
    .statement("SELECT model FROM usage WHERE session_id = ? ORDER BY day DESC, output_tokens DESC LIMIT 1")
    .get(sessionId);
  return (row?.model as string | undefined) ?? "";
}

/** Reads the usage in a database. */
export function storedUsage(db: Database): StoredUsage {
  return {
    costOfDay: async (day) =>
      Number(db.statement("SELECT ifnull(sum(cost_usd), 0) AS usd FROM usage WHERE day = ?").get(day)?.usd),
    list: async (query) => listUsage(db, query),
  };
}

const COLUMNS = { day: "day", model: "model", session: "session_id" } as const;

function listUsage(db: Database, { by, ...query }: UsageQuery): readonly (readonly [string, Amount])[] {
  const column = COLUMNS[by];
  const conditions: [string, SqlValue][] = [];
  if (query.fromDay !== "") conditions.push(["day >= ?", query.fromDay]);
  if (query.toDay !== "") conditions.push(["day <= ?", query.toDay]);
  if (query.sessionId !== "") conditions.push(["session_id = ?", query.sessionId]);
  if (query.after !== undefined) conditions.push([`${column} ${by === "day" ? "<" : ">"} ?`, query.after]);
  const where = conditions.length > 0 ? `WHERE ${conditions.map(([sql]) => sql).join(" AND ")}` : "";
  const rows = db
    .statement(
      `SELECT ${column} AS key, ${SUMS} FROM usage ${where} GROUP BY ${column}
       ORDER BY ${column} ${by === "day" ? "DESC" : "ASC"} LIMIT ?`,
    )
    .all(...conditions.map(([, value]) => value), query.limit) as unknown as Sums[];
  return rows.map((row) => [row.key, amountOf(row)]);
}
