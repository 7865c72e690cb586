import { stat } from "node:fs/promises";
import { join } from "node:path";
import { isSessionId } from "@agentwire/local/transcript";
import { HostError } from "../errors.ts";
import { type ProjectFolder, projectFolders } from "./projects.ts";

/** Where a session's transcript is. */
export interface FoundSession {
  readonly path: string;
  readonly folder: string;
  readonly projectPath?: string;
  readonly size: number;
}

/** Every transcript of a session that is not empty; a copied project may have one too. */
export async function findSessions(
  sessionId: string,
  dir: string | undefined,
  includeWorktrees = true,
): Promise<FoundSession[]> {
  if (!isSessionId(sessionId)) return [];
  const folders = await projectFolders(dir, includeWorktrees);
  return (await Promise.all(folders.map((place) => transcriptIn(place, sessionId)))).flat();
}

/** The transcript of a session, if there is one; git is asked for worktrees only if the project itself has none. */
export async function findSession(
  sessionId: string,
  dir: string | undefined,
): Promise<FoundSession | undefined> {
  const [own] = await findSessions(sessionId, dir, false);
  return own ?? (dir === undefined ? undefined : (await findSessions(sessionId, dir))[0]);
}

/** The transcript of a session; throws if there is none. */
export async function requireSession(sessionId: string, dir: string | undefined): Promise<FoundSession> {
  checkSessionId(sessionId);
  const found = await findSession(sessionId, dir);
  if (found) return found;
  throw noSuchSession(sessionId, dir);
}

/** Throws unless a text is a valid session id. */
export function checkSessionId(sessionId: string): void {
  if (!isSessionId(sessionId)) {
    throw new HostError("invalid_option", `Invalid sessionId: ${sessionId} is not a UUID`);
  }
}

/** The error for a session that was not found. */
export function noSuchSession(sessionId: string, dir: string | undefined): HostError {
  const where = dir === undefined ? "any project directory" : `project directory for ${dir}`;
  return new HostError("session_not_found", `Session ${sessionId} not found in ${where}`);
}

async function transcriptIn(place: ProjectFolder, sessionId: string): Promise<FoundSession[]> {
  const path = join(place.folder, `${sessionId}.jsonl`);
  try {
    const { size } = await stat(path);
    return size > 0 ? [{ ...place, path, size }] : [];
  } catch {
    return [];
  }
}
