import { spawn } from "node:child_process";
import { chmod, readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { endGroup } from "@agentwire/local/process";
import { makeOutputFolder } from "../files/output-folder.ts";
import type { ToolContext } from "./tool.ts";

/** The requested pages of a PDF, counted from 1. */
export interface PageRange {
  readonly first: number;
  readonly last: number;
}

/** Sharp enough to read, and small enough for twenty images. */
const DOTS_PER_INCH = "100";
const MOST_MS = 60_000;
const STDERR_KEPT_CHARS = 500;

/** Renders pages as images in a folder, in order. Rejects with a text for the model on failure. */
export async function renderPages(
  path: string,
  { first, last }: PageRange,
  folder: string,
  context: ToolContext,
): Promise<readonly Buffer[]> {
  makeOutputFolder(folder);
  const range = ["-f", String(first), "-l", String(last)];
  await runProgram("pdftoppm", ["-jpeg", "-r", DOTS_PER_INCH, ...range, path, join(folder, "page")], context);
  const names = (await readdir(folder)).filter((name) => /^page-\d+\.jpg$/.test(name));
  const numberOf = (name: string) => Number(/\d+/.exec(name)?.[0]);
  names.sort((a, b) => numberOf(a) - numberOf(b));
  return Promise.all(
    names.map(async (name) => {
      await chmod(join(folder, name), 0o600);
      return readFile(join(folder, name));
    }),
  );
}

/** Runs a program to its end; it outlives neither the call nor the agent. */
async function runProgram(
  program: string,
  args: readonly string[],
  { workspace, signal }: ToolContext,
): Promise<void> {
  const { groups } = workspace.tasks;
  groups.prepare();
  const child = spawn(program, [...args], {
    env: { ...workspace.env },
    stdio: ["ignore", "ignore", "pipe"],
    detached: true,
  });
  const { pid } = child;
  if (pid !== undefined) groups.add(pid);
  let problem = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    problem = (problem + text).slice(-STDERR_KEPT_CHARS);
  });
  const enough = AbortSignal.any([signal, AbortSignal.timeout(MOST_MS)]);
  const kill = () => void (pid !== undefined && endGroup(pid));
  enough.addEventListener("abort", kill, { once: true });
  try {
    const code = await new Promise<number | null>((resolve, reject) => {
      child.once("error", (cause) => reject(new Error(MISSING, { cause })));
      child.once("close", resolve);
      if (enough.aborted) kill();
    });
    signal.throwIfAborted();
    if (code !== 0)
      throw new Error(`${program} could not read the pages: ${problem.trim() || `exit code ${code}`}`);
  } finally {
    enough.removeEventListener("abort", kill);
    groups.sweep();
  }
}

const MISSING =
  "Single pages of a PDF are shown with pdftoppm, which is not installed (it is part of poppler-utils). Read the file without pages, or extract its text with another program.";
