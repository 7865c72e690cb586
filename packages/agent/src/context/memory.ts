import { readFile, realpath } from "node:fs/promises";
import { dirname, isAbsolute, join, resolve } from "node:path";
import type { ProjectContext } from "./context.ts";

type MemoryFile = ProjectContext["memoryFiles"][number];

const MAX_DEPTH = 5;
const MAX_BYTES = 262_144;

/** The CLAUDE.md files that apply to a folder: the user's, then those of every folder from the root down, then those of further repositories. */
export async function memoryFiles(places: {
  readonly configDir: string;
  readonly cwd: string;
  readonly repoRoots: readonly string[];
  readonly home: string;
  readonly user: boolean;
  readonly project: boolean;
  readonly local: boolean;
}): Promise<readonly MemoryFile[]> {
  const wanted: { readonly path: string; readonly type: MemoryFile["type"] }[] = [];
  if (places.user) wanted.push({ path: join(places.configDir, "CLAUDE.md"), type: "user" });
  for (const folder of [...foldersDownTo(places.cwd), ...places.repoRoots]) {
    if (places.project)
      wanted.push(
        { path: join(folder, "CLAUDE.md"), type: "project" },
        { path: join(folder, ".claude", "CLAUDE.md"), type: "project" },
      );
    if (places.local) wanted.push({ path: join(folder, "CLAUDE.local.md"), type: "local" });
  }
  const found: MemoryFile[] = [];
  const collector = { home: places.home, seen: new Set<string>(), found };
  for (const { path, type } of wanted) await collect({ path, type }, 0, collector);
  return found;
}

/** The files as one text for the model. */
export function memoryText(files: readonly MemoryFile[]): string {
  if (files.length === 0) return "";
  const parts = files.map(
    ({ path, type, content }) =>
      `From ${path} (${type === "user" ? "the user's notes for all projects" : "the project's notes"}):\n\n${content.trim()}`,
  );
  return `<memory>\nThe user has written these instructions down; follow them.\n\n${parts.join("\n\n")}\n</memory>`;
}

function foldersDownTo(folder: string): readonly string[] {
  const parent = dirname(folder);
  return parent === folder ? [folder] : [...foldersDownTo(parent), folder];
}

/** Where files are collected, and which have been. */
interface Collector {
  readonly home: string;
  readonly seen: Set<string>;
  readonly found: MemoryFile[];
}

/** Reads a file and, after it, what it imports with `@path`; each file once, however it is reached. */
async function collect(file: Omit<MemoryFile, "content">, depth: number, to: Collector): Promise<void> {
  const { path, type } = file;
  const real = await realpath(path).catch(() => undefined);
  if (real === undefined || to.seen.has(real)) return;
  to.seen.add(real);
  const content = await readFile(real, "utf8").catch(() => undefined);
  if (content === undefined || content.length > MAX_BYTES) return;
  to.found.push({ ...file, content });
  if (depth >= MAX_DEPTH) return;
  for (const name of importsIn(content)) {
    const spelled = name.startsWith("~/") ? join(to.home, name.slice(2)) : name;
    const imported = isAbsolute(spelled) ? spelled : resolve(dirname(real), spelled);
    await collect({ path: imported, type, parent: path }, depth + 1, to);
  }
}

/** `@path` at the start of a word, outside code. */
function importsIn(text: string): readonly string[] {
  const prose = text.replace(/```[\s\S]*?(```|$)/g, "").replace(/`[^`\n]*`/g, "");
  return [...prose.matchAll(/(?:^|\s)@((?:~\/|\.{0,2}\/)?[\w./-]+)/g)].map((match) => match[1] ?? "");
}
