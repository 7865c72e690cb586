import { isSessionId } from "@agentwire/local/transcript";
import type {
  GetSessionInfoOptions,
  GetSessionMessagesOptions,
  GetSubagentMessagesOptions,
  ListSessionsOptions,
  ListSubagentsOptions,
  SDKSessionInfo,
  SessionMessage,
} from "../sdk/sessions.ts";
import { readMark } from "./archive-mark.ts";
import { readEnds } from "./ends.ts";
import { type Entry, readEntries } from "./entry.ts";
import { findSession } from "./find-session.ts";
import { sessionInfo } from "./info.ts";
import { sidecarTitle } from "./kept-title.ts";
import { listLocalSessions } from "./list.ts";
import { conversationMessages, subagentMessages } from "./messages.ts";
import {
  listStoredSessions,
  storedMessages,
  storedSessionInfo,
  storedSubagentMessages,
  storedSubagents,
} from "./store-sessions.ts";
import { readLinks, subagentFiles } from "./subagents.ts";

/** Lists sessions, newest first: of one project and its worktrees, or of all projects. */
export async function listSessions(options: ListSessionsOptions = {}): Promise<SDKSessionInfo[]> {
  return options.sessionStore
    ? listStoredSessions(options.sessionStore, options)
    : listLocalSessions(options);
}

/** What is known about one session; undefined if there is no such session, or nothing in it to show. */
export async function getSessionInfo(
  sessionId: string,
  options: GetSessionInfoOptions = {},
): Promise<SDKSessionInfo | undefined> {
  if (!isSessionId(sessionId)) return undefined;
  if (options.sessionStore) return storedSessionInfo(options.sessionStore, sessionId, options.dir);
  const found = await findSession(sessionId, options.dir);
  const ends = found && (await readEnds(found.path));
  if (!ends) return undefined;
  const [title, mark] = await Promise.all([
    sidecarTitle(found.path, sessionId),
    readMark(found.path, sessionId),
  ]);
  return sessionInfo(sessionId, ends, { projectPath: found.projectPath, title, mark });
}

/** Reads the messages of a session, oldest first; none if there is no such session. */
export async function getSessionMessages(
  sessionId: string,
  options: GetSessionMessagesOptions = {},
): Promise<SessionMessage[]> {
  if (!isSessionId(sessionId)) return [];
  if (options.sessionStore) return storedMessages(options.sessionStore, sessionId, options);
  const found = await findSession(sessionId, options.dir);
  return found ? conversationMessages(await entriesOf(found.path, found.size), options) : [];
}

/** Lists the ids of the subagents that a session started. */
export async function listSubagents(
  sessionId: string,
  options: ListSubagentsOptions = {},
): Promise<string[]> {
  if (!isSessionId(sessionId)) return [];
  if (options.sessionStore) return storedSubagents(options.sessionStore, sessionId, options.dir);
  const found = await findSession(sessionId, options.dir);
  return found ? (await subagentFiles(found.path)).map(({ agentId }) => agentId) : [];
}

/** Reads the messages of a subagent, oldest first; none if there is no such subagent. */
export async function getSubagentMessages(
  sessionId: string,
  agentId: string,
  options: GetSubagentMessagesOptions = {},
): Promise<SessionMessage[]> {
  if (!isSessionId(sessionId) || !agentId) return [];
  const { sessionStore } = options;
  if (sessionStore) return storedSubagentMessages(sessionStore, sessionId, agentId, options);
  const found = await findSession(sessionId, options.dir);
  // The id is only compared with existing ones and never becomes a path.
  const files = found ? await subagentFiles(found.path) : [];
  const file = files.find((each) => each.agentId === agentId);
  if (!file) return [];
  return subagentMessages(await entriesOf(file.path, 0), await readLinks(file.path), options);
}

/** The lines of a transcript; none if it has disappeared or can't be read. */
async function entriesOf(path: string, size: number): Promise<Entry[]> {
  try {
    return await readEntries(path, size);
  } catch {
    return [];
  }
}
