/** A daemon's folder and its store, for maintenance programs that run while no daemon does. */

export { copyToServer } from "../cluster/copy-to-server.ts";
export { secureFolder } from "../folder.ts";
export { examineServer, type ServerFacts } from "../store/postgres/examine-server.ts";
export { isStoreInUse } from "../store/sqlite/lock.ts";
export { type RestoreResult, restoreStore } from "../store/sqlite/restore.ts";
