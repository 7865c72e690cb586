import { readFileSync, rmSync, writeFileSync } from "node:fs";

/** What a running daemon records so that others can find it. */
export interface RunFile {
  readonly pid: number;
  readonly version: string;
  readonly addresses: readonly string[];
  readonly startedAt: string;
  /** The port that its command line names; missing if its settings decide. */
  readonly port?: number;
}

/** Writes the file, readable only by its owner. */
export function writeRunFile(path: string, facts: RunFile): void {
  writeFileSync(path, `${JSON.stringify(facts)}\n`, { mode: 0o600 });
}

export function removeRunFile(path: string): void {
  rmSync(path, { force: true });
}

/** Reads the file; undefined if it is missing or invalid. A daemon that was killed leaves its file behind. */
export function readRunFile(path: string): RunFile | undefined {
  try {
    const facts = JSON.parse(readFileSync(path, "utf8")) as Partial<RunFile>;
    const { pid, version = "", addresses = [], startedAt = "", port } = facts;
    return Number.isInteger(pid) && Number(pid) > 1
      ? { pid: Number(pid), version, addresses, startedAt, ...(port !== undefined && { port }) }
      : undefined;
  } catch {
    return undefined;
  }
}

/** Whether a process with this id exists. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}
