import { constants } from "node:fs";
import { open, rm } from "node:fs/promises";
import { join } from "node:path";
import { storeKey } from "@agentwire/local/transcript";
import type { JsonObject } from "@agentwire/protocol";
import { HostError } from "../errors.ts";
import type { SessionMutationOptions } from "../sdk/sessions.ts";
import { writeMark } from "./archive-mark.ts";
import { checkSessionId, findSessions, noSuchSession, requireSession } from "./find-session.ts";
import { appendStored } from "./store-sessions.ts";

const NEWLINE = 10;

/** Gives a session a title. */
export async function renameSession(
  sessionId: string,
  title: string,
  options: SessionMutationOptions = {},
): Promise<void> {
  checkSessionId(sessionId);
  const customTitle = title.trim();
  if (!customTitle) throw new HostError("invalid_option", "title must be non-empty");
  await append(sessionId, options, { type: "custom-title", customTitle, sessionId });
}

/** Tags a session; null removes the tag. */
export async function tagSession(
  sessionId: string,
  tag: string | null,
  options: SessionMutationOptions = {},
): Promise<void> {
  checkSessionId(sessionId);
  const text = tag === null ? "" : withoutHidden(tag).trim();
  if (tag !== null && !text)
    throw new HostError("invalid_option", "tag must be non-empty (use null to clear)");
  await append(sessionId, options, { type: "tag", tag: text, sessionId });
}

/** Archives a session; it stays where it is, and the next prompt unarchives it. */
export async function archiveSession(sessionId: string, options: SessionMutationOptions = {}): Promise<void> {
  await mark(sessionId, true, options);
}

/** Unarchives a session. */
export async function unarchiveSession(
  sessionId: string,
  options: SessionMutationOptions = {},
): Promise<void> {
  await mark(sessionId, false, options);
}

/** Deletes a session with its subagents; a store without `delete` keeps it. */
export async function deleteSession(sessionId: string, options: SessionMutationOptions = {}): Promise<void> {
  checkSessionId(sessionId);
  const { dir, sessionStore } = options;
  if (sessionStore) {
    await sessionStore.delete?.({ projectKey: storeKey(dir), sessionId });
    return;
  }
  const { path, folder } = await requireSession(sessionId, dir);
  await rm(path, { force: true });
  await rm(join(folder, sessionId), { recursive: true, force: true, maxRetries: 3 });
}

async function mark(sessionId: string, archived: boolean, options: SessionMutationOptions): Promise<void> {
  if (options.sessionStore) {
    throw new HostError(
      "invalid_option",
      "a sessionStore holds transcripts only, so nothing in it can be archived",
    );
  }
  checkSessionId(sessionId);
  const found = await findSessions(sessionId, options.dir);
  if (found.length === 0) throw noSuchSession(sessionId, options.dir);
  await Promise.all(found.map(({ path }) => writeMark(path, sessionId, archived)));
}

async function append(
  sessionId: string,
  { dir, sessionStore }: SessionMutationOptions,
  line: JsonObject & { readonly type: string },
): Promise<void> {
  if (sessionStore) return appendStored(sessionStore, sessionId, dir, line);
  const { path } = await requireSession(sessionId, dir);
  await appendLine(path, `${JSON.stringify(line)}\n`);
}

/** Appends a line in one write, as a separate line even after an incomplete one that a dying agent left. */
async function appendLine(path: string, line: string): Promise<void> {
  const file = await open(path, constants.O_RDWR | constants.O_APPEND);
  try {
    const { size } = await file.stat();
    const { buffer } = await file.read(Buffer.alloc(1), 0, 1, Math.max(size - 1, 0));
    await file.appendFile(size > 0 && buffer[0] !== NEWLINE ? `\n${line}` : line);
  } finally {
    await file.close();
  }
}

/** Invisible characters: they can hide instructions or make two tags look the same. */
const HIDDEN = /[\p{Cf}\p{Co}\p{Cn}]/gu;

/** A text in normalized form, without invisible characters. */
const withoutHidden = (text: string): string => text.normalize("NFKC").replace(HIDDEN, "");
