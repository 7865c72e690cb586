import { isAbsolute, resolve } from "node:path";
import { UsageError } from "../errors.ts";
import type { Io } from "../io.ts";
import { remoteOf } from "../talk/remote.ts";

/** A file or folder as the daemon knows it: a path of this machine says nothing to one elsewhere. */
export function pathForDaemon(io: Io, what: string, given: string): string {
  if (!remoteOf(io)) return resolve(io.cwd, given);
  if (isAbsolute(given)) return given;
  throw new UsageError(`${what}: give an absolute path on the daemon's machine`);
}

/** The folder that is meant: the one given, else this one; empty where this one means nothing to the daemon. */
export function folderForDaemon(io: Io, given: string | undefined): string {
  if (given !== undefined) return pathForDaemon(io, "--cwd", given);
  return remoteOf(io) ? "" : io.cwd;
}
