import { isJsonObject, type JsonObject } from "@agentwire/protocol";

/** Images make long lines; what is longer than this was not written by an agent. */
export const MAX_LINE_BYTES = 256 * 1024 * 1024;

/** How the agent's note about an interrupt begins, which it keeps in the user's name. */
export const INTERRUPTED = "[Request interrupted by user";

const LINKED: ReadonlySet<unknown> = new Set(["user", "assistant", "system", "attachment", "progress"]);

/** A line of a session file that has its place in the conversation. */
export type LinkedLine = JsonObject & { readonly type: string; readonly uuid: string };

/** Tells a line that has a place in the conversation. */
export const isLinked = (line: JsonObject): line is LinkedLine =>
  LINKED.has(line.type) && typeof line.uuid === "string";

/** The line before this one in the conversation. */
export const parentOf = ({ parentUuid }: JsonObject): string | undefined =>
  typeof parentUuid === "string" && parentUuid !== "" ? parentUuid : undefined;

/** Tells the line where a summary takes over. */
export const isBoundary = ({ type, subtype }: JsonObject): boolean =>
  type === "system" && subtype === "compact_boundary";

/** The messages that a summary left as they were, and the line that they follow now. */
export interface Kept {
  /** The line that they come after: the summary. */
  readonly anchor: string;
  readonly first: string;
  /** The line that the rest of the conversation comes after. */
  readonly last: string;
  /** All of them where they are listed; otherwise only the first, which the others follow already. */
  readonly uuids: readonly string[];
  /** A list counts only as a whole. */
  readonly isListed: boolean;
}

/** Reads from a boundary what was kept there; undefined if nothing was. */
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
