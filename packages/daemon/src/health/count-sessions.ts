import type { Database } from "../store/database.ts";
import { StoreError } from "../store/store-error.ts";

/** The store, and the sessions that are in memory. */
interface StoredSessions {
  readonly db: Database;
  readonly registry: { readonly live: readonly unknown[] };
}

/** How many sessions there are; if the store can't be read, the number in memory, so that health still answers. */
export function countSessions({ db, registry }: StoredSessions): number {
  try {
    const row = db.statement("SELECT count(*) AS n FROM sessions WHERE deleted_ms IS NULL").get();
    return Number(row?.n);
  } catch (error) {
    if (error instanceof StoreError) return registry.live.length;
    throw error;
  }
}
