import { randomUUID } from "node:crypto";
import { closeSync, existsSync, fsyncSync, linkSync, openSync, renameSync, rmSync, statSync } from "node:fs";
import { Worker } from "node:worker_threads";
import { StoreError } from "../store-error.ts";
import { MAINTENANCE_THREAD } from "../threads.ts";
import { doJob, type Job, type JobFailure, type JobResult } from "./jobs.ts";
import { toStoreError } from "./sqlite-error.ts";

/** A store up to this size is checked faster than a thread starts. */
const SMALL_BYTES = 512 * 1024;

/** Checks a store for damage; resolves with a description of it. */
export async function checkStore(path: string): Promise<StoreError | undefined> {
  const job: Job = { type: "check", path };
  const { failure } = isSmall(path) ? doJob(job) : await inThread(job);
  return failure && toStoreError(Object.assign(new Error(failure.message), failure), path);
}

/** Includes the write-ahead log beside the file. */
function isSmall(path: string): boolean {
  const sizes = [path, `${path}-wal`].map((file) => statSync(file, { throwIfNoEntry: false })?.size ?? 0);
  return sizes.reduce((sum, size) => sum + size) <= SMALL_BYTES;
}

/** Copies a store into a new file while it is in use; resolves with the size of the copy, which has been checked. */
export async function copyStore(path: string, target: string): Promise<number> {
  const part = `${target}.${randomUUID().slice(0, 8)}.part`;
  try {
    closeSync(openSync(part, "wx", 0o600));
  } catch (cause) {
    throw new StoreError("failed", `${part} can't be created: ${(cause as Error).message}`, { cause });
  }
  try {
    const { failure } = await inThread({ type: "copy", path, target: part });
    if (failure) throw copyError(failure, path, part);
    settle(part, target);
    return statSync(target).size;
  } finally {
    rmSync(part, { force: true });
  }
}

/** A full disk is a problem of the copy; any other error is one of the store. */
function copyError(failure: JobFailure, path: string, part: string): StoreError {
  const cause = Object.assign(new Error(failure.message), failure);
  const error = toStoreError(cause, path);
  return error.code === "full"
    ? new StoreError("full", `no space left for ${part}: choose another place`, { cause })
    : error;
}

/** Renames the complete copy to its final name; never replaces an existing file. */
function settle(part: string, target: string): void {
  const file = openSync(part, "r");
  fsyncSync(file);
  closeSync(file);
  try {
    linkSync(part, target);
  } catch (cause) {
    // Some file systems do not support links.
    if ((cause as NodeJS.ErrnoException).code !== "EEXIST" && !existsSync(target)) renameSync(part, target);
    else throw new StoreError("failed", `${target} can't be created: ${(cause as Error).message}`, { cause });
  }
}

async function inThread(job: Job): Promise<JobResult> {
  const thread = new Worker(MAINTENANCE_THREAD, { workerData: job });
  return new Promise((resolve) => {
    thread.once("message", resolve);
    thread.once("error", ({ message }) => resolve({ failure: { message } }));
    thread.once("exit", () => resolve({ failure: { message: "the thread exited without an answer" } }));
  });
}
