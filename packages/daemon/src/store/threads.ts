/** The compiled threads of the store, relative to this file: threads can't be started from sources. */

/** Writes a SQLite file. */
export const WRITER_THREAD = new URL("../../dist/store/sqlite/writer-thread.js", import.meta.url);
/** Checks and copies a SQLite file. */
export const MAINTENANCE_THREAD = new URL("../../dist/store/sqlite/maintenance-thread.js", import.meta.url);
