import { readFile, realpath } from "node:fs/promises";
import { dirname, isAbsolute, join, resolve } from "node:path";
import type { ProjectContext } from "./context.ts";

type MemoryFile = ProjectContext["memoryFiles"][number];

const MAX_DEPTH = 5;
const MAX_BYTES = 262_144;

/** The CLAUDE.md files that apply to a folder: the user's, then those of every folder from the root down. */
export async function memoryFiles(places: {
  readonly configDir: string;
  readonly cwd: string;
  readonly home: string;
  readonly user: boolean;
  readonly project: boolean;
  readonly local: boolean;
}): Promise<readonly MemoryFile[]> {
  const wanted: { readonly path: string; readonly type: MemoryFile["type"] }[] = [];
  if (places.user) wanted.push({ path: join(places.configDir, "CLAUDE.md"), type: "user" });
  for (const folder of foldersDownTo(places.cwd)) {
    if (places.project)
      wanted.push(
        { path: join(folder, "CLAUDE.md"), type: "project" },
        { path: join(folder, ".claude", "CLAUDE.md"), type: "project" },
      );
    if (places.local) wanted.push({ path: join(folder, "CLAUDE.local.md"), type: "local" });
  }
  const seen = new Set<string>();
  const found: MemoryFile[] = [];
  for (const { path, type } of wanted) await collect(path, type, places.home, 0, seen, found);
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

/** Reads a file and, after it, what it imports with `@path`; each file once, however it is reached. */
async function collect(
  path: string,
  type: MemoryFile["type"],
  home: string,
  depth: number,
  seen: Set<string>,
  found: MemoryFile[],
): Promise<void> {
  const real = await realpath(path).catch(() => undefined);
  if (real === undefined || seen.has(real)) return;
  seen.add(real);
  const content = await readFile(real, "utf8").catch(() => undefined);
  if (content === undefined || content.length > MAX_BYTES) return;
  found.push({ path, type, content });
  if (depth >= MAX_DEPTH) return;
  for (const name of importsIn(content)) {
    const spelled = name.startsWith("~/") ? join(home, name.slice(2)) : name;
    await collect(
      isAbsolute(spelled) ? spelled : resolve(dirname(real), spelled),
      type,
      home,
      depth + 1,
      seen,
      found,
    );
  }
}

/** `@path` at the start of a word, outside code. */
function importsIn(text: string): readonly string[] {
  const prose = text.replace(/```[\s\S]*?(```|$)/g, "").replace(/`[^`\n]*`/g, "");
  return [...prose.matchAll(/(?:^|\s)@((?:~\/|\.{0,2}\/)?[\w./-]+)/g)].map((match) => match[1] ?? "");
}
