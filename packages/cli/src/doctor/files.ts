import { accessSync, constants, type Stats, statfsSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import type { DaemonLocation } from "../daemon/location.ts";
import { type Finding, ok, problem, warning } from "./finding.ts";

const LOW_BYTES = 1024 ** 3;
const TOO_LOW_BYTES = 100 * 1024 ** 2;
/** Files that must be private: they contain everything, or give access to it. */
const PRIVATE_FILES = ["agentwire.db", "token", "daemon.sock", "daemon.log", "daemon.log.old", "daemon.json"];

/** Checks the daemon's folder, its files, and the free space on their disk. */
export function examineFiles({ folder }: DaemonLocation): readonly Finding[] {
  const existing = existingOf(folder);
  const stats = statSync(existing);
  if (!stats.isDirectory())
    return [
      problem("folder", `${existing} is not a folder`, "move it away, or choose another with AGENTWIRE_HOME"),
    ];
  if (existing !== folder) return [missingFolder(folder, existing), diskOf(existing)];
  const found = folderOf(folder, stats);
  // Files in an inaccessible folder can't be checked.
  const files = found.level === "problem" ? [] : PRIVATE_FILES;
  return [found, ...files.flatMap((name) => fileOf(join(folder, name))), diskOf(folder)];
}

function folderOf(folder: string, stats: Stats): Finding {
  if (!isOurs(stats))
    return problem("folder", `${folder} belongs to another user`, "choose another with AGENTWIRE_HOME");
  if (!canWrite(folder)) return problem("folder", `${folder} is not writable`, `chmod u+rwx ${folder}`);
  if ((stats.mode & 0o077) !== 0)
    return warning("folder", `${folder} is accessible to other users`, `chmod 700 ${folder}`);
  return ok("folder", folder);
}

function fileOf(path: string): readonly Finding[] {
  const stats = statSync(path, { throwIfNoEntry: false });
  if (!stats) return [];
  if (!isOurs(stats))
    return [
      problem("file", `${path} belongs to another user`, "remove it, and restrict who can write there"),
    ];
  if ((stats.mode & 0o077) === 0) return [];
  return [problem("file", `other users can read ${path}`, `chmod 600 ${path}`)];
}

/** The deepest existing part of a path. */
function existingOf(path: string): string {
  return exists(path) || dirname(path) === path ? path : existingOf(dirname(path));
}

function exists(path: string): boolean {
  try {
    statSync(path);
    return true;
  } catch {
    return false;
  }
}

/** The finding for a folder that does not exist yet: the daemon will create it if it can. */
function missingFolder(folder: string, parent: string): Finding {
  if (canWrite(parent)) return ok("folder", `${folder} (will be created)`);
  return problem(
    "folder",
    `${folder} can't be created`,
    `make ${parent} writable, or choose another with AGENTWIRE_HOME`,
  );
}

function diskOf(folder: string): Finding {
  const { bavail, bsize } = statfsSync(folder);
  const free = bavail * bsize;
  const text = `${(free / 1024 ** 3).toFixed(1)} GB free`;
  if (free < TOO_LOW_BYTES)
    return problem("disk", text, "free some space: the daemon rejects what it can't store");
  return free < LOW_BYTES ? warning("disk", text, "free some space soon") : ok("disk", text);
}

const isOurs = ({ uid }: Stats) => process.getuid === undefined || uid === process.getuid();

function canWrite(path: string): boolean {
  try {
    accessSync(path, constants.W_OK | constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
