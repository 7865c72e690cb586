import { spawn } from "node:child_process";
import { dirname, join } from "node:path";
import { exists } from "@agentwire/local/files";
import { DaemonError } from "../errors.ts";
import { ripgrep } from "./ripgrep.ts";

/** The files of a folder and the folders in it, as paths from there; lower-cased ones beside them, for they are compared often. */
export interface FileList {
  readonly paths: readonly string[];
  readonly lower: readonly string[];
  /** How many of them are files. */
  readonly files: number;
}

const MOST_FILES = 200_000;
const LONGEST_MS = 20_000;
/** A list is good for so long; then the next question gets it once more, and a new one is made meanwhile. */
const FRESH_MS = 5000;
const MOST_FOLDERS = 4;

interface Known {
  readonly atMs: number;
  readonly list: Promise<FileList>;
}

/** Lists of files by folder, kept for a while: people type a letter after the other. */
export class FileLists {
  readonly #known = new Map<string, Known>();

  /** The files of a folder. */
  async of(folder: string): Promise<FileList> {
    const known = this.#known.get(folder);
    if (!known) return this.#read(folder);
    if (performance.now() - known.atMs > FRESH_MS) this.#read(folder).catch(() => {});
    return known.list;
  }

  #read(folder: string): Promise<FileList> {
    const list = listFiles(folder);
    const entry = { atMs: performance.now(), list };
    this.#known.delete(folder);
    this.#known.set(folder, entry);
    const [oldest] = this.#known.keys();
    if (this.#known.size > MOST_FOLDERS && oldest !== undefined) this.#known.delete(oldest);
    list.catch(() => this.#known.get(folder) === entry && this.#known.delete(folder));
    return list;
  }
}

const ARGS = ["--no-config", "--files", "--null", "--hidden", "--no-require-git", "--no-messages"];

async function listFiles(folder: string): Promise<FileList> {
  const program = await ripgrep();
  // At the root of a checkout ignore files further up don't count: those around worktrees name everything in them.
  const isRoot = await exists(join(folder, ".git"));
  // It reads names and ignore files, and runs nothing that they name.
  const child = spawn(program, [...ARGS, "--glob=!.git", ...(isRoot ? ["--no-ignore-parent"] : [])], {
    cwd: folder,
    stdio: ["ignore", "pipe", "ignore"],
    timeout: LONGEST_MS,
  });
  const files: string[] = [];
  let rest = "";
  child.stdout.setEncoding("utf8");
  const ended = new Promise<void>((resolve, reject) => {
    child.once("error", reject);
    child.once("close", () => resolve());
  });
  child.stdout.on("data", (chunk: string) => {
    const names = (rest + chunk).split("\0");
    rest = names.pop() ?? "";
    for (const name of names) files.push(name);
    if (files.length >= MOST_FILES) child.kill("SIGKILL");
  });
  try {
    await ended;
  } catch (cause) {
    throw new DaemonError(
      "WORKSPACE_REFUSED",
      "files can't be listed: install ripgrep (Debian: apt-get install ripgrep)",
      { cause },
    );
  }
  return withFolders(files.slice(0, MOST_FILES));
}

function withFolders(files: readonly string[]): FileList {
  const folders = new Set<string>();
  for (const file of files)
    for (let at = dirname(file); at !== "." && !folders.has(`${at}/`); at = dirname(at))
      folders.add(`${at}/`);
  // What lies higher comes first where nothing else tells two apart.
  const depth = (path: string) => path.split("/").length - (path.endsWith("/") ? 1 : 0);
  const paths = [...folders, ...files].map((path) => [depth(path), path] as const);
  paths.sort(([a, one], [b, other]) => a - b || (one < other ? -1 : 1));
  const sorted = paths.map(([, path]) => path);
  return { paths: sorted, lower: sorted.map((path) => path.toLowerCase()), files: files.length };
}
