import type { Dirent } from "node:fs";
import { open } from "node:fs/promises";
import { extname, join, relative, sep } from "node:path";
import { skippedFolders } from "../skipped-folders.ts";
import { decodeText, isBinary, withPlainEndings } from "../text-file.ts";
import { walk } from "../walk.ts";
import type { TimeLimit } from "../within-time.ts";
import { extensionsOf } from "./file-types.ts";
import { IgnoreRules } from "./ignore-rules.ts";

/** Which files to search. */
export interface FileChoice {
  readonly root: string;
  readonly type: string | undefined;
  readonly glob: string | undefined;
}

/** When to stop searching. */
export interface SearchLimits {
  readonly until: AbortSignal;
  readonly signal: AbortSignal;
  readonly limited: TimeLimit;
}

/** The text of a file, or why it is not searched. */
export type Candidate =
  | { readonly kind: "text"; readonly path: string; readonly text: string; readonly mtimeMs: number }
  | { readonly kind: "large" | "binary" | "gone" };

const MAX_FILE_BYTES = 10 * 1024 * 1024;
const BATCH = 16;

/** Yields the files to search below a folder, a few at a time: neither ignored ones nor those in folders that searches leave out. */
export async function* chosenFiles(
  choice: FileChoice,
  limits: SearchLimits,
): AsyncGenerator<readonly string[]> {
  const { root, glob } = choice;
  const rules = await IgnoreRules.above(root);
  const skipped = skippedFolders(root, glob);
  const isChosen = await fileFilter(choice);
  const isKept = (path: string, entry: Dirent) =>
    !skipped.has(entry.name) &&
    !rules.ignores(path, entry.isDirectory()) &&
    (entry.isDirectory() || isChosen(path));
  const options = {
    ...limits,
    enter: (folder: string) => rules.load(folder),
    keep: (folder: string, entries: readonly Dirent[]) => {
      const run = limits.limited(() => entries.filter((entry) => isKept(join(folder, entry.name), entry)));
      if (!run.ended)
        throw new Error(`The patterns of glob or of a .gitignore take too long to match in ${folder}.`);
      return run.value;
    },
    depth: Number.POSITIVE_INFINITY,
    // What a link leads to may be outside of what the call was allowed to read.
    links: false,
  };
  for await (const files of walk(root, options)) {
    for (let at = 0; at < files.length; at += BATCH) yield files.slice(at, at + BATCH);
  }
}

async function fileFilter({ root, type, glob }: FileChoice): Promise<(path: string) => boolean> {
  const extensions = type === undefined ? undefined : new Set(extensionsOf(type)?.map((name) => `.${name}`));
  const patterns = glob === undefined ? [] : glob.split(/\s+/).flatMap(alternatives);
  const wanted = await matchers(patterns.filter((pattern) => !pattern.startsWith("!")));
  const unwanted = await matchers(
    patterns.filter((pattern) => pattern.startsWith("!")).map((pattern) => pattern.slice(1)),
  );
  return (path) => {
    if (extensions && !extensions.has(extname(path).toLowerCase())) return false;
    const inside = relative(root, path).replaceAll(sep, "/");
    const isWanted = wanted.length === 0 || wanted.some((matches) => matches(inside));
    return isWanted && !unwanted.some((matches) => matches(inside));
  };
}

/** Commas separate patterns too, unless they are part of one. */
function alternatives(patterns: string): readonly string[] {
  return (patterns.includes("{") ? [patterns] : patterns.split(",")).filter((pattern) => pattern !== "");
}

/** A pattern without a slash is about the file's name, wherever it is. */
async function matchers(patterns: readonly string[]): Promise<readonly ((path: string) => boolean)[]> {
  if (patterns.length === 0) return [];
  const { default: picomatch } = await import("picomatch");
  return patterns.map((pattern) =>
    picomatch(pattern.replace(/^\//, ""), { dot: true, basename: !pattern.includes("/") }),
  );
}

/** Loads a file for searching, unless it is binary, too large or can't be read. */
export async function loadCandidate(path: string): Promise<Candidate> {
  const file = await open(path).catch(() => undefined);
  if (!file) return { kind: "gone" };
  try {
    const { size, mtimeMs } = await file.stat();
    if (size > MAX_FILE_BYTES) return { kind: "large" };
    const bytes = await file.readFile();
    if (isBinary(bytes)) return { kind: "binary" };
    return { kind: "text", path, text: withPlainEndings(decodeText(bytes).text), mtimeMs };
  } catch {
    return { kind: "gone" };
  } finally {
    await file.close();
  }
}
