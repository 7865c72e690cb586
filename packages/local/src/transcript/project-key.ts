import { realpathSync } from "node:fs";
import { join, resolve } from "node:path";

const MAX_KEY_LENGTH = 200;

/** The name of the folder that holds a project's sessions, identical to that of the official programs. */
export function projectKey(folder: string): string {
  const key = plainKey(folder);
  // Long paths may share a beginning, so a hash of the whole path distinguishes them.
  return key.length <= MAX_KEY_LENGTH ? key : `${keyPrefix(key)}${hash(folder)}`;
}

/** The prefix of a long path's folder name, without its hash; undefined for a short path. */
export function longKeyPrefix(path: string): string | undefined {
  const key = plainKey(path);
  return key.length <= MAX_KEY_LENGTH ? undefined : keyPrefix(key);
}

/** A path with everything but letters and digits replaced; different paths may yield the same key. */
export const plainKey = (path: string): string => path.replace(/[^a-zA-Z0-9]/g, "-");

/** Where the sessions of all projects are kept, one folder for each. */
export function projectsFolder(configFolder: string): string {
  return join(configFolder, "projects");
}

/** Where the sessions of the project at `cwd` are kept. */
export function projectFolder(configFolder: string, cwd: string): string {
  return join(projectsFolder(configFolder), storeKey(cwd));
}

/** The key under which the sessions of the project in a folder are stored; the default is the current folder. */
export function storeKey(folder?: string): string {
  return projectKey(realFolder(folder));
}

/** The file of a session, in the folder of its project. */
export function sessionFile(folder: string, sessionId: string): string {
  return join(folder, `${sessionId}.jsonl`);
}

/** The file of a subagent that a session started. */
export function subagentFile(folder: string, sessionId: string, agentId: string): string {
  return join(folder, sessionId, "subagents", `agent-${agentId}.jsonl`);
}

/** The real path of a folder, by default the current one; the unchanged path if the folder does not exist. */
export function realFolder(folder = "."): string {
  const path = resolve(folder);
  try {
    return systemSpelling(realpathSync.native(path));
  } catch {
    return systemSpelling(path);
  }
}

/** macOS may return decomposed names for the same folder; elsewhere two spellings are two folders. */
export function systemSpelling(path: string, platform: NodeJS.Platform = process.platform): string {
  return platform === "darwin" ? path.normalize("NFC") : path;
}

const keyPrefix = (key: string) => `${key.slice(0, MAX_KEY_LENGTH)}-`;

function hash(text: string): string {
  let value = 0;
  for (let i = 0; i < text.length; i++) value = (value * 31 + text.charCodeAt(i)) | 0;
  return Math.abs(value).toString(36);
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** Whether a value is a valid session id; nothing else ever becomes part of a path. */
export const isSessionId = (value: unknown): value is string => typeof value === "string" && UUID.test(value);
