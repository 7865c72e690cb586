export { type Locking, type LockOptions, takeLock } from "./lock.ts";
export { isOwnDatabase } from "./owner.ts";
export { BUSY_MS, inTransaction, numberOf, type Sqlite } from "./sqlite.ts";
export { type Layout, upgrade } from "./upgrade.ts";
