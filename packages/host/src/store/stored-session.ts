import { copyFile, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { homedir, tmpdir } from "node:os";
import { dirname, isAbsolute, join, sep } from "node:path";
import { configFolder, userFile } from "@agentwire/local/files";
import { isSessionId, storeKey } from "@agentwire/local/transcript";
import { isJsonObject, type JsonObject } from "@agentwire/protocol";
import { HostError } from "../errors.ts";
import type { Environment } from "../options/environment.ts";
import type { QueryOptions } from "../sdk/own-options.ts";
import type { SessionKey, SessionStore, SessionStoreEntry } from "../sdk/sessions.ts";

/** The options with which an agent finds a session from a store, and how to remove the files created for it. */
export interface RestoredSession {
  readonly options: QueryOptions;
  readonly remove: () => Promise<void>;
}

/** How long a store may take to load something. */
export const LOAD_MS = 60_000;
/** Settings that refer to things which exist only in the user's real configuration folder. */
const BOUND_TO_HOME = ["enabledPlugins", "extraKnownMarketplaces", "additionalMarketplaces"];

/** Creates a configuration folder with the session that `resume` or `continue` names, if it is in a `sessionStore`. */
export async function restoreSession(
  options: QueryOptions,
  inherited: Environment,
): Promise<RestoredSession> {
  const { sessionStore: store } = options;
  const untouched = { options, remove: async () => {} };
  if (!store || !(options.resume || options.continue)) return untouched;
  const project = { projectKey: storeKey(options.cwd), limitMs: options.loadTimeoutMs ?? LOAD_MS };
  const sessionId = options.resume ?? (await newestSession(store, project));
  if (sessionId === undefined || !isSessionId(sessionId)) return untouched;
  const key = { projectKey: project.projectKey, sessionId };
  const entries = await inTime(store.load(key), project.limitMs, "load");
  if (!entries || entries.length === 0) return untouched;
  const folder = await mkdtemp(join(tmpdir(), "agentwire-resume-"));
  const remove = () => rm(folder, { recursive: true, force: true, maxRetries: 4, retryDelay: 100 });
  try {
    await layOut(store, key, entries, folder, project.limitMs);
    await bringConfiguration(folder, options.env ?? inherited);
  } catch (error) {
    await remove();
    throw error;
  }
  const env = { ...(options.env ?? inherited), CLAUDE_CONFIG_DIR: folder };
  return { options: { ...options, resume: sessionId, env }, remove };
}

interface Project {
  readonly projectKey: string;
  readonly limitMs: number;
}

async function newestSession(
  store: SessionStore,
  { projectKey, limitMs }: Project,
): Promise<string | undefined> {
  const sessions = await inTime(
    store.listSessions?.(projectKey) ?? Promise.resolve([]),
    limitMs,
    "listSessions",
  );
  return sessions.toSorted((a, b) => b.mtime - a.mtime)[0]?.sessionId;
}

/** Writes a conversation and its related transcripts to a configuration folder. */
export async function layOut(
  store: SessionStore,
  key: SessionKey,
  entries: readonly SessionStoreEntry[],
  folder: string,
  limitMs: number,
): Promise<void> {
  const beside = join(folder, "projects", key.projectKey, key.sessionId);
  await writeLines(`${beside}.jsonl`, entries);
  const subkeys =
    (await inTime(store.listSubkeys?.(key) ?? Promise.resolve([]), limitMs, "listSubkeys")) ?? [];
  for (const subpath of subkeys) {
    const path = join(beside, `${subpath}.jsonl`);
    // Names from the store are not trusted: none may lead out of the session's folder.
    if (
      !subpath ||
      isAbsolute(subpath) ||
      subpath.split(/[\\/]/).includes("..") ||
      !path.startsWith(beside + sep)
    )
      continue;
    const lines = (await inTime(store.load({ ...key, subpath }), limitMs, "load")) ?? [];
    const transcript = lines.filter(({ type }) => type !== "agent_metadata");
    if (transcript.length > 0) await writeLines(path, transcript);
    const about = lines.findLast(({ type }) => type === "agent_metadata");
    if (about) {
      const { type: _, ...metadata } = about;
      await writePrivately(path.replace(/\.jsonl$/, ".meta.json"), JSON.stringify(metadata));
    }
  }
}

/** The agent must still be the user's own: signed in, and with the user's settings. */
async function bringConfiguration(folder: string, env: Environment): Promise<void> {
  const home = env.HOME ?? homedir();
  const from = configFolder(env, home);
  await bring(join(from, ".credentials.json"), join(folder, ".credentials.json"), withoutRefreshToken);
  await bring(userFile(env, home), join(folder, ".claude.json"));
  await bring(join(from, ".config.json"), join(folder, ".config.json"));
  await bring(join(from, "settings.json"), join(folder, "settings.json"), withoutHome);
}

async function bring(from: string, to: string, change?: (content: JsonObject) => JsonObject): Promise<void> {
  try {
    if (!change) await copyFile(from, to);
    else await writePrivately(to, changed(await readFile(from, "utf8"), change));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
  }
}

function changed(text: string, change: (content: JsonObject) => JsonObject): string {
  try {
    const content: unknown = JSON.parse(text);
    return isJsonObject(content) ? JSON.stringify(change(content)) : text;
  } catch {
    // The program that reads the file reports what is wrong with it.
    return text;
  }
}

/** Refreshing the token only in the copy would sign the user out. */
function withoutRefreshToken(content: JsonObject): JsonObject {
  const { claudeAiOauth } = content;
  if (!isJsonObject(claudeAiOauth)) return content;
  const { refreshToken: _, ...rest } = claudeAiOauth;
  return { ...content, claudeAiOauth: rest };
}

function withoutHome(content: JsonObject): JsonObject {
  const kept = Object.fromEntries(Object.entries(content).filter(([key]) => !BOUND_TO_HOME.includes(key)));
  if (!isJsonObject(kept.env)) return kept;
  const { CLAUDE_CONFIG_DIR: _, ...env } = kept.env;
  return { ...kept, env };
}

async function writeLines(path: string, entries: readonly SessionStoreEntry[]): Promise<void> {
  await writePrivately(path, entries.map((entry) => `${JSON.stringify(entry)}\n`).join(""));
}

async function writePrivately(path: string, text: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  await writeFile(path, text, { mode: 0o600 });
}

/** What a store returns; rejects if it takes too long. */
export async function inTime<T>(work: Promise<T>, ms: number, what: string): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(
      () => reject(new HostError("store_timeout", `The session store's ${what} took longer than ${ms} ms.`)),
      ms,
    );
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
