import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { isSessionId, plainKey, realFolder, systemSpelling } from "@agentwire/local/transcript";
import type { ListSessionsOptions, SDKSessionInfo } from "../sdk/sessions.ts";
import { readMark } from "./archive-mark.ts";
import { readEnds } from "./ends.ts";
import { relocatedTo, sessionInfo } from "./info.ts";
import { sidecarTitle } from "./kept-title.ts";
import { type ProjectFolder, projectFolders } from "./projects.ts";
import { firstField, firstText, lastText, linesOf } from "./scan.ts";

/** How many files to open at once, and how far a page reads ahead. */
const BATCH = 32;
const SUFFIX = ".jsonl";
const PROGRAMS: ReadonlySet<unknown> = new Set(["sdk-cli", "sdk-ts", "sdk-py"]);
const DAEMONS: ReadonlySet<unknown> = new Set(["daemon", "daemon-worker"]);

interface Candidate extends ProjectFolder {
  readonly sessionId: string;
  readonly path: string;
  readonly mtime: number;
}

/** Lists sessions, newest first; reads only both ends of a file, and only the files of the page. `root` is the folder of all projects. */
export async function listLocalSessions(
  options: ListSessionsOptions,
  root?: string,
): Promise<SDKSessionInfo[]> {
  const { dir, limit, offset = 0, includeWorktrees = true, includeProgrammatic = true } = options;
  const folders = await projectFolders(dir, includeWorktrees, root);
  const candidates = (await inBatches(folders, candidatesIn)).flat().sort(newestFirst);
  const wanted = limit !== undefined && limit > 0 ? Math.max(offset, 0) + limit : Number.POSITIVE_INFINITY;
  const found = new Map<string, SDKSessionInfo>();
  for (let i = 0; i < candidates.length && found.size < wanted; i += BATCH) {
    const batch = candidates.slice(i, i + BATCH);
    for (const info of await Promise.all(batch.map((each) => describe(each, folders, includeProgrammatic)))) {
      if (info && !found.has(info.sessionId)) found.set(info.sessionId, info);
    }
  }
  return [...found.values()].slice(Math.max(offset, 0), wanted);
}

async function candidatesIn(place: ProjectFolder): Promise<Candidate[]> {
  const names = await readdir(place.folder).catch(() => []);
  const ids = names.filter((name) => name.endsWith(SUFFIX)).map((name) => name.slice(0, -SUFFIX.length));
  const found = await inBatches(ids.filter(isSessionId), async (sessionId) => {
    const path = join(place.folder, sessionId + SUFFIX);
    try {
      return [{ ...place, sessionId, path, mtime: (await stat(path)).mtime.getTime() }];
    } catch {
      return [];
    }
  });
  return found.flat();
}

async function describe(
  { sessionId, path, projectPath, mtime }: Candidate,
  folders: readonly ProjectFolder[],
  includeProgrammatic: boolean,
): Promise<SDKSessionInfo | undefined> {
  const ends = await readEnds(path);
  if (!ends || (!includeProgrammatic && isProgrammatic(ends.head, ends.tail))) return undefined;
  const [title, mark] = await Promise.all([sidecarTitle(path, sessionId), readMark(path, sessionId)]);
  const info = sessionInfo(sessionId, { ...ends, mtime }, { projectPath, title, mark });
  const cwd = relocatedTo(ends.tail) ?? firstField(ends.head, "cwd");
  const foreign = info && cwd !== undefined && projectPath !== undefined && (await isForeign(cwd, folders));
  return foreign ? undefined : info;
}

/** Two projects can share one folder, as `/a/b-c` and `/a/b/c` do. */
async function isForeign(cwd: string, folders: readonly ProjectFolder[]): Promise<boolean> {
  const own = folders.flatMap(({ projectPath }) => projectPath ?? []);
  const path = systemSpelling(cwd);
  if (own.some((project) => path === project || path.startsWith(`${project}/`))) return false;
  if (!own.some((project) => plainKey(project) === plainKey(path))) return false;
  const real = realFolder(path);
  return !own.includes(real) && own.some((project) => plainKey(project) === plainKey(real));
}

function isProgrammatic(head: string, tail: string): boolean {
  if (PROGRAMS.has(firstText(head, "entrypoint") ?? lastText(tail, "entrypoint"))) return true;
  for (const line of linesOf(head)) {
    if (line.includes('"parentUuid":')) return DAEMONS.has(firstText(line, "sessionKind"));
  }
  return DAEMONS.has(firstText(head, "sessionKind"));
}

function newestFirst(a: Candidate, b: Candidate): number {
  if (a.mtime !== b.mtime) return b.mtime - a.mtime;
  return a.sessionId === b.sessionId ? 0 : a.sessionId < b.sessionId ? 1 : -1;
}

async function inBatches<T, R>(items: readonly T[], work: (item: T) => Promise<R>): Promise<R[]> {
  const done: R[] = [];
  for (let i = 0; i < items.length; i += BATCH) {
    for (const result of await Promise.all(items.slice(i, i + BATCH).map(work))) done.push(result);
  }
  return done;
}
