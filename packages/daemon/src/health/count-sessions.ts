import type { Database } from "../store/database.ts";
import { StoreError } from "../store/store-error.ts";

/** The store, and the sessions that are in memory. */
interface StoredSessions {
  readonly db: Database;
  readonly registry: { readonly live: readonly unknown[] };
}

/** How many sessions there are; of a store that can't be read, as many as are in memory: health is told all the same. */
export function countSessions({ db, registry }: StoredSessions): number {
  try {
    const row = db.statement("SELECT count(*) AS n FROM sessions WHERE deleted_ms IS NULL").get();
    return Number(row?.n);
  } catch (error) {
    if (error instanceof StoreError) return registry.live.length;
    throw error;
  }
}
