import { isAbsolute, resolve } from "node:path";
import { UsageError } from "../errors.ts";
import type { Io } from "../io.ts";
import { remoteOf } from "../talk/remote.ts";

/** Resolves a path for the daemon; a remote daemon needs an absolute path on its own machine. */
export function pathForDaemon(io: Io, what: string, given: string): string {
  if (!remoteOf(io)) return resolve(io.cwd, given);
  if (isAbsolute(given)) return given;
  throw new UsageError(`${what}: give an absolute path on the daemon's machine`);
}

/** The given folder, else the current one; empty if the daemon is remote and none is given. */
export function folderForDaemon(io: Io, given: string | undefined): string {
  if (given !== undefined) return pathForDaemon(io, "--cwd", given);
  return remoteOf(io) ? "" : io.cwd;
}
