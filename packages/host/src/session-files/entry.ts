import { createReadStream } from "node:fs";
import { isJsonObject, type JsonObject, readLines } from "@agentwire/protocol";
import { objectIn } from "./scan.ts";

/** Images make long lines; what is longer than this was not written by an agent. */
const MAX_LINE_BYTES = 256 * 1024 * 1024;
/** Above this, what a summary has taken the place of is not kept in memory. */
const LARGE_BYTES = 5 * 1024 * 1024;
const LINKED: ReadonlySet<unknown> = new Set(["user", "assistant", "system", "attachment", "progress"]);

/** A line of a transcript that has its place in the conversation. */
export type Entry = JsonObject & { readonly type: string; readonly uuid: string };

/** Reads the lines of a transcript that have a place in the conversation, in the order of the file. */
export async function readEntries(path: string, size: number): Promise<Entry[]> {
  let entries: Entry[] = [];
  for await (const line of readObjects(path)) {
    if (!isEntry(line)) continue;
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

/** Tells a line that has a place in the conversation. */
export const isEntry = (line: JsonObject): line is Entry =>
  LINKED.has(line.type) && typeof line.uuid === "string";

/** The line before this one in the conversation. */
export const parentOf = ({ parentUuid }: Entry): string | undefined =>
  typeof parentUuid === "string" && parentUuid !== "" ? parentUuid : undefined;

/** Tells what somebody said from what was noted beside it. */
export const isMessage = ({ type }: Entry): boolean => type === "user" || type === "assistant";

/** Tells the line where a summary takes over. */
export const isBoundary = ({ type, subtype }: Entry): boolean =>
  type === "system" && subtype === "compact_boundary";

/** Tells a line of a subagent or of a teammate. */
export const isAside = ({ isSidechain, teamName }: Entry): boolean =>
  Boolean(isSidechain) || Boolean(teamName);

/** The messages that a summary left as they were, and the line that they follow now. */
export interface Kept {
  readonly anchor: string;
  readonly first: string;
  readonly last: string;
  /** All of them where they are listed; otherwise only the first, which the others follow already. */
  readonly uuids: readonly string[];
  /** A list counts only as a whole. */
  readonly isListed: boolean;
}

/** Reads what a boundary says about messages that were kept. */
export function keptBy({ compactMetadata }: Entry): Kept | undefined {
  if (!isJsonObject(compactMetadata)) return undefined;
  const { preservedMessages: listed, preservedSegment: segment } = compactMetadata;
  if (isJsonObject(listed) && Array.isArray(listed.uuids)) {
    const uuids = listed.uuids.filter((uuid) => typeof uuid === "string");
    const [first, last] = [uuids[0], uuids.at(-1)];
    if (typeof listed.anchorUuid !== "string" || first === undefined || last === undefined) return undefined;
    return { anchor: listed.anchorUuid, first, last, uuids, isListed: true };
  }
  if (!isJsonObject(segment)) return undefined;
  const { anchorUuid: anchor, headUuid: first, tailUuid: last } = segment;
  if (typeof anchor !== "string" || typeof first !== "string" || typeof last !== "string") return undefined;
  return { anchor, first, last, uuids: [first], isListed: false };
}

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
