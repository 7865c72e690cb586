import type { Store } from "../store/store.ts";
import type { Health } from "./health.ts";

/** Keeps health what the last write and the last read of a store were; what a read finds damaged is not written any more. */
export function followStore(health: Health, { writer, db }: Pick<Store, "writer" | "db">): void {
  health.storeChanged(writer.illness);
  writer.onHealth = (error) => health.storeChanged(error);
  db.onUse = (error) => {
    if (error?.code === "corrupt") writer.fail(error);
    health.read(error?.code === "io" ? error : undefined);
  };
}
