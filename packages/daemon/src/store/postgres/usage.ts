import { type Amount, type Tokens, ZERO } from "../amount.ts";
import type { StoredUsage } from "../store.ts";
import type { Read } from "./connection.ts";

/** Sums of usage. */
export const SUMS = `coalesce(sum(input_tokens), 0)::bigint AS "inputTokens",
  coalesce(sum(output_tokens), 0)::bigint AS "outputTokens",
  coalesce(sum(cache_creation_input_tokens), 0)::bigint AS "cacheCreationInputTokens",
  coalesce(sum(cache_read_input_tokens), 0)::bigint AS "cacheReadInputTokens",
  sum(cost_usd) AS "costUsd", coalesce(bool_or(is_incomplete), false) AS "isIncomplete"`;

/** One row of sums. */
export type Sums = Tokens & {
  readonly key: string;
  readonly costUsd: number | null;
  readonly isIncomplete: boolean;
};

/** Converts a row of sums. */
export const amountOf = ({ key: _, costUsd, ...sums }: Sums): Amount => ({
  ...ZERO,
  ...sums,
  costUsd: costUsd ?? undefined,
});

const COLUMNS = { day: "day", model: "model", session: "session_id" } as const;

/** Reads the usage in a database. */
export function storedUsage(read: Read): StoredUsage {
  return {
    async costOfDay(day) {
      const sql = "SELECT coalesce(sum(cost_usd), 0) AS usd FROM usage WHERE day = $1";
      return (await read<{ usd: number }>(sql, day))[0]?.usd ?? 0;
    },
    async list({ by, fromDay, toDay, sessionId, after, limit }) {
      const column = COLUMNS[by];
      const values: unknown[] = [];
      const given = (value: unknown) => `$${values.push(value)}`;
      const conditions: string[] = [];
      if (fromDay !== "") conditions.push(`day >= ${given(fromDay)}`);
      if (toDay !== "") conditions.push(`day <= ${given(toDay)}`);
      if (sessionId !== "") conditions.push(`session_id = ${given(sessionId)}`);
      if (after !== undefined) conditions.push(`${column} ${by === "day" ? "<" : ">"} ${given(after)}`);
      const where = conditions.length > 0 ? `WHERE ${conditions.join(" AND ")}` : "";
      const rows = await read<Sums>(
        `SELECT ${column} AS key, ${SUMS} FROM usage ${where} GROUP BY ${column}
         ORDER BY ${column} ${by === "day" ? "DESC" : "ASC"} LIMIT ${given(limit)}`,
        ...values,
      );
      return rows.map((row) => [row.key, amountOf(row)] as const);
    },
  };
}
