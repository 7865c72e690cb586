import { createReadStream } from "node:fs";
import { isBoundary, isLinked, keptBy, type LinkedLine, MAX_LINE_BYTES } from "@agentwire/local/transcript";
import { isJsonObject, type JsonObject, readLines } from "@agentwire/protocol";
import { objectIn } from "./scan.ts";

/** In files larger than this, lines that a summary has replaced are not kept in memory. */
const LARGE_BYTES = 5 * 1024 * 1024;

/** A line of a transcript that belongs to the conversation. */
export type Entry = LinkedLine;

/** Reads the lines of a transcript that belong to the conversation, in file order. */
export async function readEntries(path: string, size: number): Promise<Entry[]> {
  let entries: Entry[] = [];
  for await (const line of readObjects(path)) {
    if (!isLinked(line)) continue;
    if (size > LARGE_BYTES && isBoundary(line) && keptBy(line) === undefined) entries = [];
    entries.push(line);
  }
  return entries;
}

/** Reads every line of a file that is a JSON object; incomplete and foreign lines are skipped. */
export async function* readObjects(path: string): AsyncGenerator<JsonObject> {
  for await (const lines of readLines(createReadStream(path), MAX_LINE_BYTES)) {
    for (const text of lines) {
      const line = typeof text === "string" ? objectIn(text) : undefined;
      if (line) yield line;
    }
  }
}

/** Whether a line is a message. */
export const isMessage = ({ type }: Entry): boolean => type === "user" || type === "assistant";

/** Whether a line belongs to a subagent or a teammate. */
export const isSidechain = ({ isSidechain, teamName }: Entry): boolean =>
  Boolean(isSidechain) || Boolean(teamName);

/** The content blocks of one type in a message. */
export function blocksOf({ message }: Entry, type: string): JsonObject[] {
  const content = isJsonObject(message) ? message.content : undefined;
  return Array.isArray(content) ? content.filter(isJsonObject).filter((block) => block.type === type) : [];
}

/** The id of the model's reply that a line belongs to. */
export function replyOf({ type, message }: Entry): string | undefined {
  const id = type === "assistant" && isJsonObject(message) ? message.id : undefined;
  return typeof id === "string" ? id : undefined;
}
