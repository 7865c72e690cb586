import { asString } from "@agentwire/protocol/support";
import type { SDKSessionInfo, SessionKey, SessionStoreEntry, SessionSummaryEntry } from "../sdk/sessions.ts";
import { promptText } from "./first-prompt.ts";
import { dateOf } from "./info.ts";

/** Fields of a line and their names in a summary: the last value counts. */
const LAST: ReadonlyMap<string, string> = new Map([
  ["customTitle", "customTitle"],
  ["aiTitle", "aiTitle"],
  ["lastPrompt", "lastPrompt"],
  ["summary", "summaryHint"],
  ["gitBranch", "gitBranch"],
]);

/** Adds new lines of a transcript to a store's summary of the session, so that it can be listed without being read. */
export function foldSessionSummary(
  prev: SessionSummaryEntry | undefined,
  key: SessionKey,
  entries: SessionStoreEntry[],
  options?: { mtime?: number },
): SessionSummaryEntry {
  const data: Record<string, unknown> = { ...prev?.data };
  for (const entry of entries) fold(data, entry);
  return {
    sessionId: prev?.sessionId ?? key.sessionId,
    mtime: options?.mtime ?? prev?.mtime ?? 0,
    data,
  };
}

/** What a summary says about its session; undefined for a subagent's, and if there is nothing to show. */
export function infoOfSummary(
  { sessionId, mtime, data }: SessionSummaryEntry,
  projectPath: string,
): SDKSessionInfo | undefined {
  if (data.isSidechain === true) return undefined;
  const firstPrompt = nonEmpty(data.firstPromptLocked === true ? data.firstPrompt : data.commandFallback);
  const customTitle = nonEmpty(data.customTitle) ?? nonEmpty(data.aiTitle);
  const summary = customTitle ?? nonEmpty(data.lastPrompt) ?? nonEmpty(data.summaryHint) ?? firstPrompt;
  if (summary === undefined) return undefined;
  return {
    sessionId,
    summary,
    lastModified: mtime,
    fileSize: undefined,
    customTitle,
    firstPrompt,
    gitBranch: nonEmpty(data.gitBranch),
    cwd: nonEmpty(data.cwd) ?? projectPath,
    tag: nonEmpty(data.tag),
    createdAt: typeof data.createdAt === "number" ? data.createdAt : undefined,
  };
}

function fold(data: Record<string, unknown>, entry: SessionStoreEntry): void {
  data.isSidechain ??= entry.isSidechain === true;
  data.createdAt ??= dateOf(entry.timestamp);
  data.cwd ??= nonEmpty(entry.cwd);
  foldPrompt(data, entry);
  for (const [field, name] of LAST) if (typeof entry[field] === "string") data[name] = entry[field];
  if (entry.type === "tag") data.tag = nonEmpty(entry.tag);
  if (entry.type === "relocated") data.cwd = nonEmpty(entry.relocatedCwd) ?? data.cwd;
  for (const key of ["createdAt", "cwd", "tag"]) if (data[key] === undefined) delete data[key];
}

/** A command's name is used until something is typed. */
function foldPrompt(data: Record<string, unknown>, entry: SessionStoreEntry): void {
  if (data.firstPromptLocked) return;
  const text = promptText(entry);
  if (!text) return;
  if ("command" in text) data.commandFallback ??= text.command;
  else Object.assign(data, { firstPrompt: text.typed, firstPromptLocked: true });
}

/** A text that says something. */
const nonEmpty = (value: unknown) => asString(value) || undefined;
