import { createReadStream } from "node:fs";
import { isBoundary, isLinked, keptBy, type LinkedLine, MAX_LINE_BYTES } from "@agentwire/local/transcript";
import { isJsonObject, type JsonObject, readLines } from "@agentwire/protocol";
import { objectIn } from "./scan.ts";

/** Above this, what a summary has taken the place of is not kept in memory. */
const LARGE_BYTES = 5 * 1024 * 1024;

/** A line of a transcript that has its place in the conversation. */
export type Entry = LinkedLine;

/** Reads the lines of a transcript that have a place in the conversation, in the order of the file. */
export async function readEntries(path: string, size: number): Promise<Entry[]> {
  let entries: Entry[] = [];
  for await (const line of readObjects(path)) {
    if (!isLinked(line)) continue;
    if (size > LARGE_BYTES && isBoundary(line) && keptBy(line) === undefined) entries = [];
    entries.push(line);
  }
  return entries;
}

/** Reads every line of a file that is an object; what is torn or foreign is passed over. */
export async function* readObjects(path: string): AsyncGenerator<JsonObject> {
  for await (const lines of readLines(createReadStream(path), MAX_LINE_BYTES)) {
    for (const text of lines) {
      const line = typeof text === "string" ? objectIn(text) : undefined;
      if (line) yield line;
    }
  }
}

/** Tells messages from other lines. */
export const isMessage = ({ type }: Entry): boolean => type === "user" || type === "assistant";

/** Tells a line of a subagent or of a teammate. */
export const isSidechain = ({ isSidechain, teamName }: Entry): boolean =>
  Boolean(isSidechain) || Boolean(teamName);

/** The content blocks of one type in a message. */
export function blocksOf({ message }: Entry, type: string): JsonObject[] {
  const content = isJsonObject(message) ? message.content : undefined;
  return Array.isArray(content) ? content.filter(isJsonObject).filter((block) => block.type === type) : [];
}

/** The id of the model's reply that a line is a part of. */
export function replyOf({ type, message }: Entry): string | undefined {
  const id = type === "assistant" && isJsonObject(message) ? message.id : undefined;
  return typeof id === "string" ? id : undefined;
}
