import type { Store } from "../store/store.ts";
import { StoreError } from "../store/store-error.ts";

/** The store, and the sessions that are in memory. */
interface StoredSessions {
  readonly store: Store;
  readonly registry: { readonly live: readonly unknown[] };
}

/** The number of sessions. If the store can't be read, this is the number in memory, so that health checks still work. */
export async function countSessions({ store, registry }: StoredSessions): Promise<number> {
  try {
    return await store.sessions.count();
  } catch (error) {
    if (error instanceof StoreError) return registry.live.length;
    throw error;
  }
}
