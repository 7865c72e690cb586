import { isJsonObject, type JsonObject } from "@agentwire/protocol";

/** Images make long lines, but an agent writes none longer than this. */
export const MAX_LINE_BYTES = 256 * 1024 * 1024;

/** The start of the note about an interrupt, which the agent stores as a user message. */
export const INTERRUPTED = "[Request interrupted by user";

const LINKED: ReadonlySet<unknown> = new Set(["user", "assistant", "system", "attachment", "progress"]);

/** A line of a session file that is part of the conversation. */
export type LinkedLine = JsonObject & { readonly type: string; readonly uuid: string };

/** Whether a line is part of the conversation. */
export const isLinked = (line: JsonObject): line is LinkedLine =>
  LINKED.has(line.type) && typeof line.uuid === "string";

/** The line before this one in the conversation. */
export const parentOf = ({ parentUuid }: JsonObject): string | undefined =>
  typeof parentUuid === "string" && parentUuid !== "" ? parentUuid : undefined;

/** Whether a line is the boundary at which a summary replaces the conversation before it. */
export const isBoundary = ({ type, subtype }: JsonObject): boolean =>
  type === "system" && subtype === "compact_boundary";

/** The messages that a summary kept unchanged, and the line they now follow. */
export interface Kept {
  /** The line they follow: the summary. */
  readonly anchor: string;
  readonly first: string;
  /** The line that the rest of the conversation follows. */
  readonly last: string;
  /** All of them if they are listed; otherwise only the first, which the others already follow. */
  readonly uuids: readonly string[];
  /** Whether they were listed; a list counts only if it is complete. */
  readonly isListed: boolean;
}

/** Reads from a boundary which messages were kept; undefined if none were. */
export function keptBy({ compactMetadata }: JsonObject): Kept | undefined {
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
