import { DatabaseSync } from "@photostructure/sqlite";
import { checkCode } from "./sqlite-error.ts";

/** A maintenance job beside the writer. */
export type Job =
  | { readonly type: "check"; readonly path: string }
  | { readonly type: "copy"; readonly path: string; readonly target: string };

/** The outcome of a job; `errcode` is SQLite's. */
export type JobResult = { readonly failure?: JobFailure };
export type JobFailure = { readonly message: string; readonly errcode?: number };

/** Runs a job, which takes time in proportion to the file's size. */
export function doJob(job: Job): JobResult {
  try {
    if (job.type === "check") check(job.path);
    else copy(job.path, job.target);
    return {};
  } catch (error) {
    const { message, errcode } = error as Error & { errcode?: number };
    return { failure: errcode === undefined ? { message } : { message, errcode } };
  }
}

/** Reads every page that matters; damage is reported like SQLite's own errors. */
function check(path: string): void {
  const db = new DatabaseSync(path, { readOnly: true });
  try {
    const [row] = db.prepare("PRAGMA quick_check(1)").all() as { readonly quick_check: string }[];
    const found = row?.quick_check ?? "no answer";
    if (found !== "ok") throw Object.assign(new Error(found), { errcode: checkCode(found) });
  } finally {
    db.close();
  }
}

function copy(path: string, target: string): void {
  const db = new DatabaseSync(path, { readOnly: true });
  try {
    db.prepare("VACUUM INTO ?").run(target);
  } finally {
    db.close();
  }
  check(target);
}
