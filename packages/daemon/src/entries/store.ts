/** The folder of a daemon and the store in it, for programs that look after them while no daemon runs. */

export { copyToServer } from "../cluster/copy-to-server.ts";
export { secureFolder } from "../folder.ts";
export { examineServer, type ServerFacts } from "../store/postgres/examine-server.ts";
export { isStoreInUse } from "../store/sqlite/lock.ts";
export { type RestoreResult, restoreStore } from "../store/sqlite/restore.ts";
