import { realpath } from "node:fs/promises";
import { dirname, isAbsolute, join, resolve } from "node:path";
import { isMissing, readRegularFile } from "@agentwire/local/files";
import { isInside } from "../files/real-path.ts";
import type { ProjectContext } from "./context.ts";

type MemoryFile = ProjectContext["memoryFiles"][number];

const MAX_DEPTH = 5;
const MAX_BYTES = 262_144;
/** Bounds the number of files, including imports of imports. */
const MAX_FILES = 500;

/** The CLAUDE.md files that apply to a folder: the user's, then those of each folder from the root down, then those of the added repositories. */
export async function memoryFiles(places: {
  readonly configDir: string;
  readonly cwd: string;
  readonly repoRoots: readonly string[];
  readonly home: string;
  readonly user: boolean;
  readonly project: boolean;
  readonly local: boolean;
}): Promise<readonly MemoryFile[]> {
  const found: MemoryFile[] = [];
  const to = { home: places.home, seen: new Set<string>(), found };
  const own = join(places.configDir, "CLAUDE.md");
  if (places.user && !isMissing(own)) await collect({ path: own, type: "user" }, 0, to);
  for (const folder of [...foldersDownTo(places.cwd), ...places.repoRoots])
    await collectIn(folder, places, to);
  return found;
}

/** The CLAUDE.md files of a single folder, except those whose real paths are in `seen`. */
export async function memoryFilesIn(
  folder: string,
  places: { readonly home: string; readonly project: boolean; readonly local: boolean },
  seen: Set<string>,
): Promise<readonly MemoryFile[]> {
  const found: MemoryFile[] = [];
  await collectIn(folder, places, { home: places.home, seen, found });
  return found;
}

async function collectIn(
  folder: string,
  { project, local }: { readonly project: boolean; readonly local: boolean },
  to: Collector,
): Promise<void> {
  const files = [
    ...(project ? ["CLAUDE.md", join(".claude", "CLAUDE.md")] : []).map((name) => [name, "project"] as const),
    ...(local ? [["CLAUDE.local.md", "local"] as const] : []),
  ]
    .map(([name, type]) => ({ path: join(folder, name), type }))
    .filter(({ path }) => !isMissing(path));
  if (files.length === 0) return;
  const root = await realpath(folder).catch(() => undefined);
  if (root === undefined) return;
  for (const file of files) await collect(file, 0, { ...to, root });
}

/** The files joined into one text for the model. */
export function memoryText(files: readonly MemoryFile[]): string {
  if (files.length === 0) return "";
  const parts = files.map(
    ({ path, type, content }) =>
      `From ${path} (${type === "user" ? "the user's notes for all projects" : "the project's notes"}):\n\n${content.trim()}`,
  );
  return `<memory>\nThe user has written these instructions; follow them.\n\n${parts.join("\n\n")}\n</memory>`;
}

function foldersDownTo(folder: string): readonly string[] {
  const parent = dirname(folder);
  return parent === folder ? [folder] : [...foldersDownTo(parent), folder];
}

/** The files collected so far, and how to resolve and limit imports. */
interface Collector {
  readonly home: string;
  readonly seen: Set<string>;
  readonly found: MemoryFile[];
  /** The folder that the files belong to; undefined for the user's. */
  readonly root?: string;
}

/** Reads a file and then the files it imports with `@path`; no file is read twice. */
async function collect(file: Omit<MemoryFile, "content">, depth: number, to: Collector): Promise<void> {
  const { path, type } = file;
  const real = await realpath(path).catch(() => undefined);
  if (real === undefined || to.seen.has(real) || to.seen.size >= MAX_FILES || !mayBeRead(real, to.root))
    return;
  to.seen.add(real);
  const content = await readRegularFile(real, MAX_BYTES).catch(() => undefined);
  if (content === undefined) return;
  to.found.push({ ...file, content });
  if (depth >= MAX_DEPTH) return;
  for (const name of importsIn(content)) {
    const spelled = name.startsWith("~/") ? join(to.home, name.slice(2)) : name;
    const imported = isAbsolute(spelled) ? spelled : resolve(dirname(real), spelled);
    await collect({ path: imported, type, parent: path }, depth + 1, to);
  }
}

/** A project must not expose the user's secrets: outside of it, only text files that can be instructions are read. */
function mayBeRead(real: string, root: string | undefined): boolean {
  return root === undefined || isInside(real, root) || /\.(md|markdown|txt)$/i.test(real);
}

/** `@path` at the start of a word, outside code. */
function importsIn(text: string): readonly string[] {
  const prose = text.replace(/```[\s\S]*?(```|$)/g, "").replace(/`[^`\n]*`/g, "");
  return [...prose.matchAll(/(?:^|\s)@((?:~\/|\.{0,2}\/)?[\w./-]+)/g)].map((match) => match[1] ?? "");
}
