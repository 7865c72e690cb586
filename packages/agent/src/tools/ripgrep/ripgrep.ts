import { type ChildProcess, spawn } from "node:child_process";
import { ownRipgrep } from "../../files/own-ripgrep.ts";
import { hasCode } from "../file-errors.ts";

/** The result of running ripgrep. */
export type RipgrepRun =
  | {
      readonly ok: true;
      readonly output: string;
      /** Why the output is incomplete: it took too long or was too long. */
      readonly cut: "late" | "long" | undefined;
    }
  | { readonly ok: false; readonly reason: string };

const SEARCH_MS = 20_000;
const MAX_OUTPUT_BYTES = 20 * 1024 * 1024;
const MAX_COMPLAINT_BYTES = 16 * 1024;
/** ripgrep's exit code for errors. */
const COMPLAINS = 2;
/** A hint meant for people at a terminal: the filters left no files. */
const NOTHING_TO_SEARCH = /^rg: No files were searched/;

/** Runs ripgrep in a folder, without the user's own configuration; the signal ends it. */
export async function runRipgrep(
  args: readonly string[],
  cwd: string,
  signal: AbortSignal,
): Promise<RipgrepRun> {
  signal.throwIfAborted();
  // Its stdin must be neither the terminal nor a pipe that it could search instead of the folder.
  const child = spawn(program(), ["--no-config", ...args], { cwd, stdio: ["ignore", "pipe", "pipe"] });
  const onAbort = () => void child.kill("SIGKILL");
  signal.addEventListener("abort", onAbort);
  try {
    const run = await finished(child);
    signal.throwIfAborted();
    return run;
  } catch (error) {
    if (!hasCode(error, "ENOENT", "EACCES")) throw error;
    throw new Error(MISSING, { cause: error });
  } finally {
    signal.removeEventListener("abort", onAbort);
  }
}

const MISSING =
  "ripgrep is missing: the package of @vscode/ripgrep for this platform is not installed, and there is no rg on PATH. " +
  "Install ripgrep, or search with find and grep in Bash.";

/** The ripgrep installed with the agent, so that it is the same on every machine; otherwise the machine's own. */
function program(): string {
  return ownRipgrep() ?? "rg";
}

async function finished(child: ChildProcess): Promise<RipgrepRun> {
  let cut: "late" | "long" | undefined;
  const end = (reason: "late" | "long") => {
    cut ??= reason;
    child.kill("SIGKILL");
  };
  const timer = setTimeout(() => end("late"), SEARCH_MS);
  const output = collect(child.stdout, MAX_OUTPUT_BYTES, () => end("long"));
  const complaint = collect(child.stderr, MAX_COMPLAINT_BYTES);
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once("error", reject);
    child.once("close", resolve);
  }).finally(() => clearTimeout(timer));
  const text = output();
  // Some files could not be read; the results from all others are still valid.
  const reason = complaint().trim();
  if (code === COMPLAINS && text === "" && !NOTHING_TO_SEARCH.test(reason)) return { ok: false, reason };
  return { ok: true, output: cut ? wholeEntries(text) : text, cut };
}

/** Drops the incomplete line or file name at the end. */
function wholeEntries(text: string): string {
  return text.slice(0, text.lastIndexOf(text.includes("\n") ? "\n" : "\0") + 1);
}

function collect(stream: ChildProcess["stdout"], most: number, onFull = () => {}): () => string {
  const chunks: Buffer[] = [];
  let size = 0;
  stream?.on("data", (chunk: Buffer) => {
    if (size > most) return;
    chunks.push(chunk);
    size += chunk.length;
    if (size > most) onFull();
  });
  return () => Buffer.concat(chunks).toString("utf8");
}
