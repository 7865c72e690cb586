import type { Store } from "../store/store.ts";
import type { Health } from "./health.ts";

/** Keeps health what the last write and the last read of a store were. */
export function followStore(health: Health, store: Store): void {
  health.storeChanged(store.illness);
  store.onHealth = (error) => health.storeChanged(error);
  store.onRead = (error) => health.read(error?.code === "io" ? error : undefined);
}
