import { readdirSync, readFileSync, readlinkSync } from "node:fs";
import { setTimeout } from "node:timers/promises";

/** A process that works inside a folder. */
interface FolderProcess {
  readonly pid: number;
  readonly command: string;
}

/** The processes that work inside a folder, including commands that left the agent's process group. Empty if there is no /proc. */
export function processesIn(folder: string): readonly FolderProcess[] {
  return pids()
    .filter((pid) => pid !== process.pid && isInside(workingFolder(pid), folder))
    .map((pid) => ({ pid, command: commandOf(pid) }));
}

const GRACE_MS = 500;
const POLL_MS = 25;

/** The commands that still run inside a folder after a grace period for those that were about to end. */
export async function commandsStayingIn(folder: string): Promise<readonly string[]> {
  const deadline = performance.now() + GRACE_MS;
  let found = processesIn(folder);
  while (found.length > 0 && performance.now() < deadline) {
    await setTimeout(POLL_MS);
    found = processesIn(folder);
  }
  return found.map(({ command }) => command);
}

const ROUNDS = 10;

/** Kills every process that works inside a folder, including those started in the meantime. */
export function endProcessesIn(folder: string): void {
  let found = processesIn(folder);
  for (let round = 0; round < ROUNDS && found.length > 0; round++) {
    for (const { pid } of found) {
      try {
        process.kill(pid, "SIGKILL");
      } catch {
        // It ended by itself.
      }
    }
    found = processesIn(folder);
  }
}

function pids(): readonly number[] {
  try {
    return readdirSync("/proc").map(Number).filter(Number.isInteger);
  } catch {
    return [];
  }
}

function workingFolder(pid: number): string | undefined {
  try {
    return readlinkSync(`/proc/${pid}/cwd`);
  } catch {
    return undefined;
  }
}

function commandOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8").replaceAll("\0", " ").trim();
  } catch {
    return "";
  }
}

const isInside = (path: string | undefined, folder: string) =>
  path === folder || path?.startsWith(`${folder}/`) === true;
