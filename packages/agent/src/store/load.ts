import { keptBy, sessionFile } from "@agentwire/local/transcript";
import { isJsonObject } from "@agentwire/protocol";
import type { ToolUseBlock } from "@agentwire/protocol/messages";
import { contextTokens } from "../model/context-window.ts";
import { Chain } from "./chain.ts";
import {
  blocksOf,
  type Entry,
  isBoundary,
  isInterruption,
  isPrompt,
  messageOf,
  readSession,
  type StoredSession,
} from "./entry.ts";
import { findSession } from "./find-session.ts";
import { toMessages } from "./history.ts";
import { withoutLeftOut } from "./left-out.ts";
import { cutAt, type ResumePoint } from "./resume-at.ts";
import type { LoadedSession, Transcript } from "./transcript.ts";

/** The conversation to resume, and from where. */
export interface LoadOptions extends ResumePoint {
  readonly configDir: string;
  readonly cwd: string;
  /** The session's id, its title, or the path of its file. */
  readonly idOrTitle: string;
}

/** A loaded session, with its lines for a fork; or why there is none, as a message for the host. */
export type LoadResult =
  | {
      readonly session: LoadedSession;
      readonly entries: readonly Entry[];
      /** The folder of the project that it belongs to. */
      readonly folder: string;
    }
  | { readonly refusal: string };

/** Reads a stored session. */
export async function loadSession(options: LoadOptions): Promise<LoadResult> {
  const { configDir, cwd, idOrTitle } = options;
  const found = await findSession(configDir, cwd, idOrTitle);
  if (!found) return notFound(idOrTitle);
  const { sessionId, folder } = found;
  let stored: StoredSession;
  try {
    stored = await readSession(sessionFile(folder, sessionId));
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    return code === "ENOENT"
      ? notFound(idOrTitle)
      : { refusal: `Session ${sessionId} cannot be read (${code})` };
  }
  const cut = cutAt(new Chain(stored.entries), options);
  if ("refusal" in cut) return cut;
  if (cut.kept.length === 0) return notFound(idOrTitle);
  return { session: toSession(sessionId, stored, cut.kept, cut.dropped), entries: cut.kept, folder };
}

/** Copies the lines of a conversation into the still empty transcript of its fork. */
export function copyHistory(entries: readonly Entry[], into: Transcript): void {
  let parentUuid: string | null = null;
  for (const { uuid, line } of entries) {
    const forkedFrom = { sessionId: line.sessionId, messageUuid: uuid };
    into.note({ ...line, parentUuid, forkedFrom });
    parentUuid = uuid;
  }
}

/** Builds the session from the lines of a conversation. */
export function toSession(
  sessionId: string,
  stored: StoredSession,
  kept: readonly Entry[],
  dropped: readonly Entry[],
): LoadedSession {
  const promptIds = new Set(stored.entries.filter(isPrompt).map(({ uuid }) => uuid));
  // The host may resend prompts that it has cut off, or that the model never got.
  for (const { uuid } of dropped) promptIds.delete(uuid);
  const unanswered = unansweredPrompts(kept);
  for (const uuid of unanswered) promptIds.delete(uuid);
  const deferredCall = findDeferredCall(kept, stored.deferredCallId);
  const messages = toMessages(kept).map(({ content, ...rest }) => ({
    ...rest,
    content: withoutLeftOut(content, stored.leftOut),
  }));
  return {
    sessionId,
    // Drop the last message: a placeholder for the call's pending result.
    messages: deferredCall ? messages.slice(0, -1) : messages,
    promptIds,
    unanswered,
    lastUuid: kept.at(-1)?.uuid,
    title: stored.title,
    contextTokens: tokensOf(kept),
    deferredCall,
    systemPrompt: stored.systemPrompt,
    worktree: stored.worktree,
    spent: stored.spent,
  };
}

/** The prompts at the end of a conversation: their process ended before it stored any reply to them. */
function unansweredPrompts(kept: readonly Entry[]): ReadonlySet<string> {
  const last = kept.findLastIndex((entry) => !isPrompt(entry) || isInterruption(entry));
  return new Set(kept.slice(last + 1).map(({ uuid }) => uuid));
}

/** The call with this id, if nothing follows it: then it has not run yet and can be resumed. */
function findDeferredCall(kept: readonly Entry[], id: string | undefined): ToolUseBlock | undefined {
  const last = kept.at(-1);
  if (id === undefined || last?.type !== "assistant") return undefined;
  const call = blocksOf(last).find((block) => block.type === "tool_use" && block.id === id);
  if (typeof call?.name !== "string" || !isJsonObject(call.input)) return undefined;
  return { type: "tool_use", id, name: call.name, input: call.input };
}

function tokensOf(kept: readonly Entry[]): number | undefined {
  const lastReply = kept.findLast(
    ({ type, line }) => type === "assistant" && line.isApiErrorMessage !== true,
  );
  if (!lastReply || wasCompactedSince(lastReply, kept)) return undefined;
  const { usage } = messageOf(lastReply);
  return isJsonObject(usage) ? contextTokens(usage) : undefined;
}

/** The token count of a reply kept by a compaction includes everything that was removed. */
function wasCompactedSince({ uuid }: Entry, entries: readonly Entry[]): boolean {
  const boundary = entries.findLast(isBoundary);
  const kept = boundary && keptBy(boundary.line);
  return kept !== undefined && (kept.uuids.includes(uuid) || kept.last === uuid);
}

const notFound = (idOrTitle: string) => ({ refusal: `No conversation found with session ID: ${idOrTitle}` });
