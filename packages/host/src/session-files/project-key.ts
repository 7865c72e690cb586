import { realpath } from "node:fs/promises";
import { homedir } from "node:os";
import { join, resolve } from "node:path";

const MAX_KEY_LENGTH = 200;

/** Where the agents of this user keep their transcripts, one folder per project. */
export function projectsFolder(): string {
  return join(configFolder(), "projects");
}

/** Where the agents of this user keep what is theirs. */
export function configFolder(): string {
  return (process.env.CLAUDE_CONFIG_DIR ?? join(homedir(), ".claude")).normalize("NFC");
}

/** The name of a project's folder, the same as the official programs give it. */
export function projectKey(path: string): string {
  const key = plainKey(path);
  return key.length <= MAX_KEY_LENGTH ? key : `${keyPrefix(key)}${hash(path)}`;
}

/** What the names of a long path's folder begin with, whoever computed the hash behind it; undefined for a short path. */
export function longKeyPrefix(path: string): string | undefined {
  const key = plainKey(path);
  return key.length <= MAX_KEY_LENGTH ? undefined : keyPrefix(key);
}

/** A path with everything but letters and digits replaced: two paths may come to the same. */
export const plainKey = (path: string): string => path.replace(/[^a-zA-Z0-9]/g, "-");

/** The key under which a store keeps the sessions of a project. */
export async function storeKey(dir: string | undefined): Promise<string> {
  return projectKey(await realFolder(dir));
}

/** The real path of a folder, by default of the current one; the path as it is if there is no such folder. */
export async function realFolder(dir = "."): Promise<string> {
  const path = resolve(dir);
  try {
    return (await realpath(path)).normalize("NFC");
  } catch {
    return path.normalize("NFC");
  }
}

const keyPrefix = (key: string) => `${key.slice(0, MAX_KEY_LENGTH)}-`;

function hash(text: string): string {
  let value = 0;
  for (let i = 0; i < text.length; i++) value = (value * 31 + text.charCodeAt(i)) | 0;
  return Math.abs(value).toString(36);
}
