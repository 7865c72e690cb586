import { isJsonObject } from "@agentwire/protocol";
import type { Entry } from "./entry.ts";

/** The messages that a compaction left word for word. */
export interface Kept {
  /** The line that they come after: the summary. */
  readonly anchor: string;
  readonly uuids: ReadonlySet<string>;
  /** The line that the rest of the conversation comes after. */
  readonly last: string;
}

/** Reads from a boundary what was kept there; undefined if nothing was. */
export function keptBy(boundary: Entry): Kept | undefined {
  const metadata = boundary.line.compactMetadata;
  if (!isJsonObject(metadata)) return undefined;
  return keptOneByOne(metadata.preservedMessages) ?? keptInOnePiece(metadata.preservedSegment);
}

function keptOneByOne(list: unknown): Kept | undefined {
  if (!isJsonObject(list) || typeof list.anchorUuid !== "string" || !Array.isArray(list.uuids))
    return undefined;
  const uuids = list.uuids.filter((uuid) => typeof uuid === "string");
  const last = uuids.at(-1);
  return last === undefined ? undefined : { anchor: list.anchorUuid, uuids: new Set(uuids), last };
}

/** Inside the piece the links are right already: only its head moves. */
function keptInOnePiece(piece: unknown): Kept | undefined {
  if (!isJsonObject(piece)) return undefined;
  const { anchorUuid: anchor, headUuid: head, tailUuid: last } = piece;
  if (typeof anchor !== "string" || typeof head !== "string" || typeof last !== "string") return undefined;
  return { anchor, uuids: new Set([head]), last };
}
