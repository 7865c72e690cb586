import { randomUUID } from "node:crypto";
import { mkdir, rename, rm, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { isJsonObject, type JsonObject } from "@agentwire/protocol";
import type { Ends } from "./ends.ts";
import { promptText } from "./first-prompt.ts";
import { linesOf, objectIn } from "./scan.ts";
import { readSmallJson, sidecarFile } from "./sidecar.ts";

/** Whether and when a session was archived or unarchived. */
export interface ArchiveMark {
  readonly archived: boolean;
  /** Milliseconds since 1970. */
  readonly at: number;
}

/** Reads a session's archive mark; undefined if it was never archived. */
export async function readMark(transcript: string, sessionId: string): Promise<ArchiveMark | undefined> {
  const mark = await readSmallJson(sidecarFile(transcript, sessionId, "archived.json"));
  if (typeof mark?.archived !== "boolean" || typeof mark.at !== "string") return undefined;
  const at = Date.parse(mark.at);
  return Number.isNaN(at) ? undefined : { archived: mark.archived, at };
}

/** Writes a session's archive mark atomically. */
export async function writeMark(transcript: string, sessionId: string, archived: boolean): Promise<void> {
  const path = sidecarFile(transcript, sessionId, "archived.json");
  const draft = `${path}.${randomUUID()}.tmp`;
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  try {
    const mark = { archived, at: new Date().toISOString(), by: "sdk" };
    await writeFile(draft, JSON.stringify(mark), { mode: 0o600, flag: "wx" });
    await rename(draft, path);
  } finally {
    await rm(draft, { force: true });
  }
}

/** Whether a session is still archived: a prompt unarchives it. */
export function isArchived(mark: ArchiveMark | undefined, { head, tail }: Ends): boolean | undefined {
  if (!mark?.archived) return mark?.archived;
  return !(hasPromptAfter(mark.at, tail) || (head !== tail && hasPromptAfter(mark.at, head)));
}

function hasPromptAfter(time: number, text: string): boolean {
  for (const line of linesOf(text)) {
    if (!/"user"|"queued_command"/.test(line) || line.includes('"tool_result"')) continue;
    const entry = objectIn(line);
    if (entry && promptTime(entry) > time) return true;
  }
  return false;
}

function promptTime(entry: JsonObject): number {
  const prompt = asPrompt(entry);
  const said = prompt && (promptText(prompt) !== undefined || hasMedia(prompt));
  return said && typeof entry.timestamp === "string" ? Date.parse(entry.timestamp) : Number.NaN;
}

/** A prompt sent during a turn is stored as an attachment. */
function asPrompt(entry: JsonObject): JsonObject | undefined {
  const { attachment } = entry;
  const { content, origin } = isJsonObject(attachment)
    ? { content: attachment.prompt, origin: attachment.origin }
    : { content: isJsonObject(entry.message) ? entry.message.content : undefined, origin: entry.origin };
  if (isJsonObject(origin) && origin.kind !== "human") return undefined;
  return { type: "user", isMeta: entry.isMeta, message: { content } };
}

function hasMedia({ message }: JsonObject): boolean {
  const content = isJsonObject(message) ? message.content : undefined;
  return (
    Array.isArray(content) &&
    content.some((block) => isJsonObject(block) && (block.type === "image" || block.type === "document"))
  );
}
