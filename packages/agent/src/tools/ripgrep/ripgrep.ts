import { type ChildProcess, spawn } from "node:child_process";
import { ownRipgrep } from "../../files/own-ripgrep.ts";
import { hasCode } from "../file-errors.ts";

/** What ripgrep came back with. */
export type RipgrepRun =
  | {
      readonly ok: true;
      readonly output: string;
      /** There was more, but it took too long or was too much. */
      readonly cut: "late" | "long" | undefined;
    }
  | { readonly ok: false; readonly reason: string };

const SEARCH_MS = 20_000;
const MAX_OUTPUT_BYTES = 20 * 1024 * 1024;
const MAX_COMPLAINT_BYTES = 16 * 1024;
/** What ripgrep exits with where it has something to complain about. */
const COMPLAINS = 2;
/** A hint for people at a terminal: the choice of files left none. */
const NOTHING_TO_SEARCH = /^rg: No files were searched/;

/** Runs ripgrep in a folder, without the user's own configuration of it; it ends when the signal fires. */
export async function runRipgrep(
  args: readonly string[],
  cwd: string,
  signal: AbortSignal,
): Promise<RipgrepRun> {
  signal.throwIfAborted();
  // Not the terminal, and nothing that could be searched instead of the folder.
  const child = spawn(await program(), ["--no-config", ...args], { cwd, stdio: ["ignore", "pipe", "pipe"] });
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

/** The program that comes with the agent, so that every machine has the same; else the machine's own. */
async function program(): Promise<string> {
  return (await ownRipgrep()) ?? "rg";
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
  // Some files could not be read: what the others have is still an answer.
  const reason = complaint().trim();
  if (code === COMPLAINS && text === "" && !NOTHING_TO_SEARCH.test(reason)) return { ok: false, reason };
  return { ok: true, output: cut ? wholeEntries(text) : text, cut };
}

/** What comes after the last whole line, or name of a file, is half of one. */
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
