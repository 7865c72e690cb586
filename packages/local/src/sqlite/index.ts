export { type Locking, type LockOptions, takeLock } from "./lock.ts";
export { BUSY_MS, inTransaction, numberOf, type Sqlite } from "./sqlite.ts";
export { isOwnDatabase, type Layout, upgrade } from "./upgrade.ts";
