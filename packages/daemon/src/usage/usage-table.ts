import type { Database, SqlValue } from "../store/database.ts";
import type { Write } from "../store/write.ts";
import { type Amount, type Tokens, ZERO } from "./amount.ts";
import { NO_TOTALS, type ReportedTotals } from "./turn-usage.ts";

/** The day of a moment, as the store and the budgets count days. */
export const dayOf = (ms: number): string => new Date(ms).toISOString().slice(0, 10);

/** The write that adds what one model was used for. */
export function addUsage(sessionId: string, day: string, model: string, amount: Amount): Write {
  return {
    sql: `INSERT INTO usage (session_id, day, model, input_tokens, output_tokens, cache_creation_input_tokens,
            cache_read_input_tokens, cost_usd, is_incomplete) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
          ON CONFLICT (session_id, day, model) DO UPDATE SET
            input_tokens = input_tokens + excluded.input_tokens,
            output_tokens = output_tokens + excluded.output_tokens,
            cache_creation_input_tokens = cache_creation_input_tokens + excluded.cache_creation_input_tokens,
            cache_read_input_tokens = cache_read_input_tokens + excluded.cache_read_input_tokens,
            cost_usd = CASE WHEN excluded.cost_usd IS NULL THEN cost_usd ELSE ifnull(cost_usd, 0) + excluded.cost_usd END,
            is_incomplete = max(is_incomplete, excluded.is_incomplete)`,
    values: [
      sessionId,
      day,
      model,
      amount.inputTokens,
      amount.outputTokens,
      amount.cacheCreationInputTokens,
      amount.cacheReadInputTokens,
      amount.costUsd ?? null,
      amount.isIncomplete ? 1 : 0,
    ],
  };
}

/** The write that remembers the totals that the next turn is counted from. */
export function storeTotals(sessionId: string, seen: ReportedTotals): Write {
  return {
    sql: "INSERT INTO usage_seen (session_id, seen) VALUES (?, ?) ON CONFLICT DO UPDATE SET seen = excluded.seen",
    values: [sessionId, JSON.stringify(seen)],
  };
}

/** The write by which a copy of a conversation counts on from where the original is. */
export function copyTotals(from: string, to: string): Write {
  return {
    sql: "INSERT INTO usage_seen (session_id, seen) SELECT ?, seen FROM usage_seen WHERE session_id = ?",
    values: [to, from],
  };
}

/** The totals that were last reported in a session. */
export function lastTotals(db: Database, sessionId: string): ReportedTotals {
  const row = db.statement("SELECT seen FROM usage_seen WHERE session_id = ?").get(sessionId);
  return row ? (JSON.parse((row as { seen: string }).seen) as ReportedTotals) : NO_TOTALS;
}

const SUMS = `ifnull(sum(input_tokens), 0) AS inputTokens, ifnull(sum(output_tokens), 0) AS outputTokens,
  ifnull(sum(cache_creation_input_tokens), 0) AS cacheCreationInputTokens,
  ifnull(sum(cache_read_input_tokens), 0) AS cacheReadInputTokens,
  sum(cost_usd) AS costUsd, ifnull(max(is_incomplete), 0) AS isIncomplete`;

type Row = Tokens & { readonly key: string; readonly costUsd: number | null; readonly isIncomplete: number };

const amountOf = ({ key: _, costUsd, isIncomplete, ...tokens }: Row): Amount => ({
  ...ZERO,
  ...tokens,
  costUsd: costUsd ?? undefined,
  isIncomplete: isIncomplete === 1,
});

/** Everything that a session has used. */
export function usageOfSession(db: Database, sessionId: string): Amount {
  const row = db.statement(`SELECT '' AS key, ${SUMS} FROM usage WHERE session_id = ?`).get(sessionId);
  return amountOf(row as unknown as Row);
}

/** The model that a session has used last, and most of that day; empty if it has used none. */
export function lastModelOf(db: Database, sessionId: string): string {
  const row = db
    .statement("SELECT model FROM usage WHERE session_id = ? ORDER BY day DESC, output_tokens DESC LIMIT 1")
    .get(sessionId);
  return (row as { model: string } | undefined)?.model ?? "";
}

/** The cost of a day, as far as prices are known. */
export function costOfDay(db: Database, day: string): number {
  const row = db.statement("SELECT ifnull(sum(cost_usd), 0) AS usd FROM usage WHERE day = ?").get(day);
  return (row as { usd: number }).usd;
}

/** What usage can be added up by. */
export type Grouping = "day" | "model" | "session";

/** Which usage is wanted, and where the page begins. */
export interface UsageQuery {
  readonly by: Grouping;
  readonly fromDay: string;
  readonly toDay: string;
  readonly sessionId: string;
  /** The last key of the page before; undefined for the first one. */
  readonly after: string | undefined;
  readonly limit: number;
}

const COLUMNS = { day: "day", model: "model", session: "session_id" } as const;

/** A page of sums in the order of their keys, the latest day first. */
export function listUsage(db: Database, { by, ...query }: UsageQuery): readonly [string, Amount][] {
  const column = COLUMNS[by];
  const conditions: [string, SqlValue][] = [
    ...(query.fromDay === "" ? [] : [["day >= ?", query.fromDay] as [string, SqlValue]]),
    ...(query.toDay === "" ? [] : [["day <= ?", query.toDay] as [string, SqlValue]]),
    ...(query.sessionId === "" ? [] : [["session_id = ?", query.sessionId] as [string, SqlValue]]),
    ...(query.after === undefined
      ? []
      : [[`${column} ${by === "day" ? "<" : ">"} ?`, query.after] as [string, SqlValue]]),
  ];
  const where = conditions.length > 0 ? `WHERE ${conditions.map(([sql]) => sql).join(" AND ")}` : "";
  const rows = db
    .statement(
      `SELECT ${column} AS key, ${SUMS} FROM usage ${where} GROUP BY ${column}
       ORDER BY ${column} ${by === "day" ? "DESC" : "ASC"} LIMIT ?`,
    )
    .all(...conditions.map(([, value]) => value), query.limit) as unknown as Row[];
  return rows.map((row) => [row.key, amountOf(row)]);
}
