import { randomUUID } from "node:crypto";
import { isLinked, realFolder, storeKey } from "@agentwire/local/transcript";
import { HostError } from "../errors.ts";
import type {
  GetSessionMessagesOptions,
  GetSubagentMessagesOptions,
  ListSessionsOptions,
  SDKSessionInfo,
  SessionMessage,
  SessionStore,
  SessionStoreEntry,
} from "../sdk/sessions.ts";
import { endsOfText } from "./ends.ts";
import { dateOf, sessionInfo } from "./info.ts";
import { conversationMessages, page, subagentMessages } from "./messages.ts";
import { linksIn } from "./subagents.ts";
import { infoOfSummary } from "./summary.ts";

const SUBAGENTS = "subagents/";
const AGENT = "agent-";

interface Listed {
  readonly sessionId: string;
  readonly mtime: number;
  /** Undefined: the transcript must be read; null: not to be shown. */
  readonly info?: SDKSessionInfo | null;
}

/** Lists the sessions of a project in a store, newest first. */
export async function listStoredSessions(
  store: SessionStore,
  options: ListSessionsOptions,
): Promise<SDKSessionInfo[]> {
  const projectPath = realFolder(options.dir);
  const listed = (await listedIn(store, projectPath)).sort((a, b) => b.mtime - a.mtime);
  const infos = page(listed, options).map(async ({ sessionId, mtime, info }) => {
    if (info !== undefined) return info ?? [];
    try {
      return (await readInfo(store, sessionId, projectPath, mtime)) ?? [];
    } catch {
      // A transcript that the store can't load must not hide the others.
      return { sessionId, summary: "", lastModified: mtime };
    }
  });
  return (await Promise.all(infos)).flat();
}

/** What a store has about one session. */
export async function storedSessionInfo(
  store: SessionStore,
  sessionId: string,
  dir: string | undefined,
): Promise<SDKSessionInfo | undefined> {
  const entries = await load(store, sessionId, dir);
  const mtime = dateOf(entries.at(-1)?.timestamp) ?? Date.now();
  return entries.length === 0 ? undefined : sessionInfo(sessionId, endsOfText(linesOf(entries), mtime));
}

/** The messages of a session in a store. */
export async function storedMessages(
  store: SessionStore,
  sessionId: string,
  options: GetSessionMessagesOptions,
): Promise<SessionMessage[]> {
  return conversationMessages((await load(store, sessionId, options.dir)).filter(isLinked), options);
}

/** The subagents of a session in a store. */
export async function storedSubagents(
  store: SessionStore,
  sessionId: string,
  dir: string | undefined,
): Promise<string[]> {
  const names = (await subagentKeys(store, sessionId, dir)).map((key) => key.split("/").at(-1) ?? "");
  return [...new Set(names.filter((name) => name.startsWith(AGENT)).map((name) => name.slice(AGENT.length)))];
}

/** The messages of a subagent whose transcript is in a store. */
export async function storedSubagentMessages(
  store: SessionStore,
  sessionId: string,
  agentId: string,
  options: GetSubagentMessagesOptions,
): Promise<SessionMessage[]> {
  const name = AGENT + agentId;
  const keys = store.listSubkeys ? await subagentKeys(store, sessionId, options.dir) : [SUBAGENTS + name];
  const subpath = keys.find((key) => key.split("/").at(-1) === name);
  if (subpath === undefined) return [];
  const entries = await load(store, sessionId, options.dir, subpath);
  const facts = entries.findLast(({ type }) => type === "agent_metadata");
  return subagentMessages(entries.filter(isLinked), linksIn(facts), options);
}

/** Appends a line to a session in a store. */
export async function appendStored(
  store: SessionStore,
  sessionId: string,
  dir: string | undefined,
  line: SessionStoreEntry,
): Promise<void> {
  const entry = { ...line, uuid: randomUUID(), timestamp: new Date().toISOString() };
  await store.append({ projectKey: storeKey(dir), sessionId }, [entry]);
}

/** The lines of a transcript in a store; none if it does not exist. */
export async function load(
  store: SessionStore,
  sessionId: string,
  dir: string | undefined,
  subpath?: string,
): Promise<SessionStoreEntry[]> {
  const key = { projectKey: storeKey(dir), sessionId, ...(subpath !== undefined && { subpath }) };
  return (await store.load(key)) ?? [];
}

/** Uses the store's summaries that are not older than their transcripts; all others must be read. */
async function listedIn(store: SessionStore, projectPath: string): Promise<Listed[]> {
  const projectKey = storeKey(projectPath);
  const sessions = store.listSessions && (await store.listSessions(projectKey));
  if (!store.listSessionSummaries) {
    if (sessions) return [...sessions];
    throw new HostError("invalid_option", "sessionStore.listSessions is needed to list sessions");
  }
  const summaries = await store.listSessionSummaries(projectKey);
  if (!sessions)
    return summaries.map((each) => ({ ...each, info: infoOfSummary(each, projectPath) ?? null }));
  const bySession = new Map(summaries.map((summary) => [summary.sessionId, summary]));
  return sessions.map(({ sessionId, mtime }) => {
    const summary = bySession.get(sessionId);
    if (!summary || summary.mtime < mtime) return { sessionId, mtime };
    return { sessionId, mtime: summary.mtime, info: infoOfSummary(summary, projectPath) ?? null };
  });
}

async function readInfo(
  store: SessionStore,
  sessionId: string,
  projectPath: string,
  mtime: number,
): Promise<SDKSessionInfo | undefined> {
  const entries = await load(store, sessionId, projectPath);
  if (entries.length === 0) return undefined;
  return sessionInfo(sessionId, endsOfText(linesOf(entries), mtime), { projectPath });
}

async function subagentKeys(
  store: SessionStore,
  sessionId: string,
  dir: string | undefined,
): Promise<string[]> {
  if (!store.listSubkeys) {
    throw new HostError("invalid_option", "sessionStore.listSubkeys is needed to list subagents");
  }
  const keys = await store.listSubkeys({ projectKey: storeKey(dir), sessionId });
  return keys.filter((key) => key.startsWith(SUBAGENTS));
}

const linesOf = (entries: readonly SessionStoreEntry[]) =>
  entries.map((entry) => `${JSON.stringify(entry)}\n`).join("");
