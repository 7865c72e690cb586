import { dayOf } from "../../src/usage/summary.ts";

const DAYS = 30;
const DAY_MS = 86_400_000;
const PRICES = { "claude-opus-5-5": 1.9, "claude-haiku-4-5": 0.3 } as const;

/** Writes a month of varying usage directly into a store that no daemon is using; every seventh day has none. */
export async function fillUsage(path: string, sessionIds: readonly string[]): Promise<void> {
  const { DatabaseSync } = await import("@photostructure/sqlite");
  const db = new DatabaseSync(path);
  const insert = db.prepare(
    `INSERT INTO usage (session_id, day, model, input_tokens, output_tokens, cache_creation_input_tokens,
       cache_read_input_tokens, cost_usd, is_incomplete) VALUES (?, ?, ?, ?, ?, ?, ?, ?, 0)`,
  );
  for (let ago = 1; ago < DAYS; ago++)
    for (const [model, price] of Object.entries(PRICES)) {
      const size = ago % 7 === 0 ? 0 : 1 + ((ago * 37) % 11);
      if (size > 0)
        insert.run(
          sessionIds[ago % sessionIds.length] ?? "",
          dayOf(Date.now() - ago * DAY_MS),
          model,
          size * 24_000,
          size * 3100,
          size * 9000,
          size * 310_000,
          size * price * 0.31,
        );
    }
  db.close();
}
