import { isJsonObject } from "@agentwire/protocol";

const ADVICE: ReadonlyMap<unknown, string> = new Map([
  ["SQLITE_NOTADB", "this is not a database; choose another file"],
  ["SQLITE_CORRUPT", "the database is damaged; restore a copy, or choose another file"],
  ["SQLITE_READONLY", "the database can't be written to; check the permissions of the file and its folder"],
  ["SQLITE_CANTOPEN", "the file can't be opened; check that it exists and is readable"],
  ["ENOENT", "the file can't be opened; check that it exists and is readable"],
  ["ELOOP", "the path has a symbolic link that points to itself; choose another path"],
  ["SQLITE_FULL", "the disk is full; free some space and try again"],
  ["SQLITE_BUSY", "another program is writing to the database; stop it and try again"],
  ["SQLITE_LOCKED", "another program is writing to the database; stop it and try again"],
  ["SQLITE_IOERR", "the disk could not be read or written; check it and try again"],
  ["EACCES", "permission denied; check the permissions of the file and its folder"],
  ["EPERM", "permission denied; check the permissions of the file and its folder"],
  ["EROFS", "the file system is read-only; choose a file elsewhere"],
  ["ENOSPC", "the disk is full; free some space and try again"],
  ["EISDIR", "this is a folder; name a file in it"],
  ["ENOTDIR", "a part of the path is a file, not a folder; choose another path"],
  ["EEXIST", "a part of the path is a file, not a folder; choose another path"],
]);

/** Describes a database failure and what to do about it. */
export function describeFailure(error: unknown): string {
  const { message } = error instanceof Error ? error : new Error(String(error));
  const advice = ADVICE.get(failureCode(error));
  return advice === undefined ? message : `${advice} (${message})`;
}

/** The error code, from SQLite or the system. */
export function failureCode(error: unknown): string {
  if (!(error instanceof Error)) return "EIO";
  const facts: unknown = error;
  if (!isJsonObject(facts)) return "EIO";
  const code = facts.sqliteCodeName ?? facts.code;
  return typeof code === "string" ? code : "EIO";
}
