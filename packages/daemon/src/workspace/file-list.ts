import { spawn } from "node:child_process";
import { dirname, join } from "node:path";
import { exists } from "@agentwire/local/files";
import { DaemonError } from "../errors.ts";
import { RecentAnswers } from "./recent-answers.ts";
import { ripgrep } from "./ripgrep.ts";

/** The files and folders below a folder, as relative paths; with lower-case copies, since they are compared often. */
export interface FileList {
  readonly paths: readonly string[];
  readonly lower: readonly string[];
  /** How many of the paths are files. */
  readonly files: number;
}

const MOST_FILES = 200_000;
const LONGEST_MS = 20_000;
/** An older list is returned once more while a new one is created. */
const FRESH_MS = 5000;
const MOST_FOLDERS = 4;

/** Cached lists of files by folder, since a query is sent for every letter typed. */
export class FileLists {
  readonly #lists = new RecentAnswers<FileList>(MOST_FOLDERS, FRESH_MS);

  /** The files of a folder. */
  async of(folder: string): Promise<FileList> {
    const known = this.#lists.get(folder);
    if (!known) return this.#read(folder);
    if (!this.#lists.isFresh(folder)) this.#read(folder).catch(() => {});
    return known;
  }

  #read(folder: string): Promise<FileList> {
    const list = listFiles(folder);
    this.#lists.set(folder, list);
    return list;
  }
}

const ARGS = ["--no-config", "--files", "--null", "--hidden", "--no-require-git", "--no-messages"];

async function listFiles(folder: string): Promise<FileList> {
  const program = await ripgrep();
  // At the root of a checkout, ignore files in parent folders don't count: those around worktrees ignore everything.
  const isRoot = await exists(join(folder, ".git"));
  // The program only reads names and ignore files, and runs nothing.
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
  // Otherwise equal paths are sorted by depth.
  const depth = (path: string) => path.split("/").length - (path.endsWith("/") ? 1 : 0);
  const paths = [...folders, ...files].map((path) => [depth(path), path] as const);
  paths.sort(([a, one], [b, other]) => a - b || (one < other ? -1 : 1));
  const sorted = paths.map(([, path]) => path);
  return { paths: sorted, lower: sorted.map((path) => path.toLowerCase()), files: files.length };
}
