import { chmodSync, readdirSync, type Stats, statSync } from "node:fs";
import { join } from "node:path";
import { makePrivateFolder } from "@agentwire/local/files";
import type { Log } from "@agentwire/protocol/support";
import { UnusableFolder } from "./errors.ts";

const OTHERS = 0o077;

/**
 * Creates the daemon's folder, or checks it: any user who may enter it may talk to the daemon, because Node.js can't
 * identify the peer of a socket. Throws `UnusableFolder`.
 */
export function secureFolder(folder: string): void {
  made(folder);
  const stats = statSync(folder);
  if (!isOurs(stats))
    throw new UnusableFolder(
      `${folder} belongs to another user, who could read and change everything in it: choose another`,
    );
  if ((stats.mode & OTHERS) === 0) return;
  // A missing folder is fine: it is created below.
  if (readdirSync(folder).length === 0) chmodSync(folder, 0o700);
  else
    throw new UnusableFolder(
      `other users can enter ${folder}, and could then run commands as you: check that everything in it is yours, then chmod 700 ${folder}`,
    );
}

function made(folder: string): void {
  try {
    makePrivateFolder(folder);
  } catch (cause) {
    const { message } = cause as Error;
    throw new UnusableFolder(`the folder ${folder} can't be created (${message}): choose another`, { cause });
  }
}

/** Removes other users' access to files in the folder, and logs it. Throws `UnusableFolder` for a file of another user. */
export function secureFiles(folder: string, log: Log): void {
  for (const name of readdirSync(folder)) secureFile(join(folder, name), log);
}

function secureFile(path: string, log: Log): void {
  const stats = statSync(path, { throwIfNoEntry: false });
  if (!stats?.isFile()) return;
  if (!isOurs(stats))
    throw new UnusableFolder(`${path} belongs to another user: remove it, or take ownership of it`);
  if ((stats.mode & OTHERS) === 0) return;
  // Files that belong to root are read, not changed.
  if (stats.uid === process.getuid?.()) chmodSync(path, stats.mode & 0o700);
  log.warn("a file was accessible to other users; its permissions were tightened", { path });
}

/** On systems without user ids there is nothing to check. */
const isOurs = ({ uid }: Stats) => process.getuid === undefined || uid === process.getuid() || uid === 0;
