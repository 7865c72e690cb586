import { type FileHandle, open, readdir, stat } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import { isSessionId, projectFolder } from "@agentwire/local/transcript";
import { Malformed, parseLine } from "@agentwire/protocol";

/**
 * How much to read at each end of a file to find its title, the same as the official SDK: a project may have gigabytes of
 * sessions.
 */
const END_BYTES = 65_536;
const SUFFIX = ".jsonl";

/** The most recently written session of a project, for `--continue`. */
export async function latestSession(configDir: string, cwd: string): Promise<string | undefined> {
  for (const { sessionId, path } of await sessionsByAge(configDir, cwd)) {
    // A file may contain only a title.
    if ((await endsOf(path)).some((text) => text.includes('"parentUuid":'))) return sessionId;
  }
  return undefined;
}

/** A session and the folder of its project. */
export interface FoundSession {
  readonly sessionId: string;
  readonly folder: string;
}

/** The session with this id, in any project; or with this title, in the project at `cwd`; or in the file at this path. */
export async function findSession(
  configDir: string,
  cwd: string,
  wanted: string,
): Promise<FoundSession | undefined> {
  if (wanted.endsWith(SUFFIX)) {
    const sessionId = basename(wanted, SUFFIX);
    return isSessionId(sessionId) ? { sessionId, folder: dirname(resolve(cwd, wanted)) } : undefined;
  }
  const own = projectFolder(configDir, cwd);
  if (!isSessionId(wanted)) {
    const sessionId = await sessionByTitle(configDir, cwd, wanted);
    return sessionId === undefined ? undefined : { sessionId, folder: own };
  }
  for await (const folder of projectFolders(configDir, own))
    if ((await sessionFileOf(folder, wanted)).length > 0) return { sessionId: wanted, folder };
  return undefined;
}

/** All projects, the current one first: usually no other has to be searched. */
async function* projectFolders(configDir: string, own: string): AsyncGenerator<string> {
  yield own;
  const projects = join(configDir, "projects");
  for (const name of await readdir(projects).catch(() => [])) yield join(projects, name);
}

/** The newest session with this title in a project. */
async function sessionByTitle(configDir: string, cwd: string, title: string): Promise<string | undefined> {
  const wanted = title.trim().toLowerCase();
  for (const { sessionId, path } of await sessionsByAge(configDir, cwd)) {
    const [head = "", tail = head] = await endsOf(path);
    const found = lastTitle(tail) ?? lastTitle(head);
    if (found?.trim().toLowerCase() === wanted) return sessionId;
  }
  return undefined;
}

/** The file of a session. */
interface SessionFile {
  readonly sessionId: string;
  readonly path: string;
  readonly mtimeMs: number;
}

async function sessionsByAge(configDir: string, cwd: string): Promise<SessionFile[]> {
  const files = await sessionsIn(projectFolder(configDir, cwd));
  return files.sort((a, b) => b.mtimeMs - a.mtimeMs);
}

/** The sessions in a project's folder, unordered. */
export async function sessionsIn(folder: string): Promise<SessionFile[]> {
  const names = await readdir(folder).catch(() => []);
  const ids = names.filter((name) => name.endsWith(SUFFIX)).map((name) => name.slice(0, -SUFFIX.length));
  return (await Promise.all(ids.filter(isSessionId).map((id) => sessionFileOf(folder, id)))).flat();
}

async function sessionFileOf(folder: string, sessionId: string): Promise<SessionFile[]> {
  const path = join(folder, sessionId + SUFFIX);
  try {
    return [{ sessionId, path, mtimeMs: (await stat(path)).mtimeMs }];
  } catch {
    return [];
  }
}

/** The beginning and end of a file; one text if that is the whole file, none if it can't be read. */
export async function endsOf(path: string): Promise<string[]> {
  let file: FileHandle | undefined;
  try {
    file = await open(path);
    const { size } = await file.stat();
    const head = await textAt(file, 0);
    return size <= END_BYTES ? [head] : [head, await textAt(file, size - END_BYTES)];
  } catch {
    return [];
  } finally {
    await file?.close();
  }
}

async function textAt(file: FileHandle, position: number): Promise<string> {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(END_BYTES), 0, END_BYTES, position);
  return buffer.toString("utf8", 0, bytesRead);
}

/** The last title in a text of session lines. */
export function lastTitle(text: string): string | undefined {
  const lines = text.split("\n").filter((line) => line.includes('"custom-title"'));
  for (const text of lines.toReversed()) {
    const line = parseLine(text);
    if (!(line instanceof Malformed) && typeof line.customTitle === "string") return line.customTitle;
  }
  return undefined;
}
