import type { Store } from "../store/store.ts";
import type { Health } from "./health.ts";

/** Derives the store's health from its last write and read; a store that a read finds damaged is no longer written to. */
export function followStore(health: Health, { writer, db }: Pick<Store, "writer" | "db">): void {
  health.storeChanged(writer.illness);
  writer.onHealth = (error) => health.storeChanged(error);
  db.onUse = (error) => {
    if (error?.code === "corrupt") writer.fail(error);
    health.read(error?.code === "io" ? error : undefined);
  };
}
