import { execFile } from "node:child_process";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { configFolder } from "@agentwire/local/files";
import {
  longKeyPrefix,
  plainKey,
  projectKey,
  projectsFolder,
  realFolder,
  systemSpelling,
} from "@agentwire/local/transcript";
import { readEnds } from "./ends.ts";
import { relocatedTo } from "./info.ts";
import { firstField } from "./scan.ts";

const GIT_TIMEOUT_MS = 5000;

/** A folder of transcripts, with the project it belongs to if that is known. */
export interface ProjectFolder {
  readonly folder: string;
  readonly projectPath?: string;
}

/** The existing folders of all projects, or of one project and the other worktrees of its repository. */
export async function projectFolders(
  dir: string | undefined,
  includeWorktrees = true,
  root = projectsFolder(configFolder()),
): Promise<ProjectFolder[]> {
  if (dir === undefined) return allFolders(root);
  const project = realFolder(dir);
  const worktrees = includeWorktrees ? await worktreesOf(project) : [];
  const found = new Map<string, ProjectFolder>();
  for (const projectPath of [project, ...worktrees]) {
    for (const folder of await foldersOf(projectPath)) {
      if (!found.has(folder)) found.set(folder, { folder, projectPath });
    }
  }
  return [...found.values()];
}

/** The paths of all worktrees of the repository that contains a folder; none if there is no repository. */
async function worktreesOf(folder: string): Promise<string[]> {
  try {
    // A repository's own configuration must not make git run anything.
    const safe = ["-c", "core.hooksPath=/dev/null", "-c", "core.fsmonitor="];
    const { stdout } = await promisify(execFile)("git", [...safe, "worktree", "list", "--porcelain"], {
      cwd: folder,
      timeout: GIT_TIMEOUT_MS,
      windowsHide: true,
    });
    const lines = stdout.split("\n").filter((line) => line.startsWith("worktree "));
    return lines.map((line) => systemSpelling(line.slice("worktree ".length)));
  } catch {
    return [];
  }
}

async function allFolders(root: string): Promise<ProjectFolder[]> {
  const entries = await readdir(root, { withFileTypes: true }).catch(() => []);
  return entries
    .filter((entry) => entry.isDirectory() || entry.isSymbolicLink())
    .map(({ name }) => ({ folder: join(root, name) }));
}

/** The folders of a project. The name for a long path may end in a different hash, so such folders are identified by their content. */
async function foldersOf(projectPath: string): Promise<string[]> {
  const root = projectsFolder(configFolder());
  const own = projectKey(projectPath);
  const prefix = longKeyPrefix(projectPath);
  const entries = await readdir(root, { withFileTypes: true }).catch(() => []);
  const names = entries
    .filter((entry) => entry.isDirectory() || entry.isSymbolicLink())
    .map(({ name }) => name);
  const others = prefix === undefined ? [] : names.filter((name) => name !== own && name.startsWith(prefix));
  const belonging = await Promise.all(
    others.map(async (name) => ((await belongsTo(join(root, name), projectPath)) ? [name] : [])),
  );
  return [...(names.includes(own) ? [own] : []), ...belonging.flat()].map((name) => join(root, name));
}

async function belongsTo(folder: string, projectPath: string): Promise<boolean> {
  const names = await readdir(folder).catch(() => []);
  for (const name of names.filter((name) => name.endsWith(".jsonl"))) {
    const ends = await readEnds(join(folder, name));
    const cwd = ends && (relocatedTo(ends.tail) ?? firstField(ends.head, "cwd"));
    if (cwd !== undefined) return plainKey(systemSpelling(cwd)) === plainKey(projectPath);
  }
  return false;
}
