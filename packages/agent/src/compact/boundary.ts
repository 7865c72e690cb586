import type { JsonObject } from "@agentwire/protocol";
import type { CompactBoundaryMessage } from "@agentwire/protocol/messages";

/** A finished compaction. */
export interface Compaction {
  readonly trigger: "manual" | "auto";
  readonly preTokens: number;
  readonly postTokens?: number;
  readonly durationMs: number;
  /** The uuid of the user message with the summary. */
  readonly summaryUuid: string;
  /** The uuids of the stored lines of the messages that were kept, in order. */
  readonly keptUuids: readonly string[];
}

/** A compaction as it is reported to the host. */
export function compactMetadata(compaction: Compaction): CompactBoundaryMessage["compact_metadata"] {
  const { trigger, preTokens, postTokens, durationMs, summaryUuid, keptUuids } = compaction;
  const [head] = keptUuids;
  const tail = keptUuids.at(-1);
  return {
    trigger,
    pre_tokens: preTokens,
    ...(postTokens !== undefined && { post_tokens: postTokens }),
    duration_ms: durationMs,
    ...(head !== undefined &&
      tail !== undefined && {
        preserved_segment: { head_uuid: head, anchor_uuid: summaryUuid, tail_uuid: tail },
        preserved_messages: { anchor_uuid: summaryUuid, uuids: [...keptUuids] },
      }),
  };
}

/** The transcript line that marks a compaction; the message with the summary is appended right after it. */
export function boundaryEntry(
  compaction: Compaction,
  place: { readonly uuid: string; readonly timestamp: string; readonly lastUuid: string | undefined },
): JsonObject {
  const {
    trigger,
    preTokens,
    postTokens,
    durationMs,
    summaryUuid: anchorUuid,
    keptUuids: uuids,
  } = compaction;
  return {
    type: "system",
    subtype: "compact_boundary",
    // Readers follow a conversation from its end back to the first line without a parent, so nothing before this line is read.
    parentUuid: null,
    logicalParentUuid: place.lastUuid ?? null,
    uuid: place.uuid,
    timestamp: place.timestamp,
    content: "Conversation compacted",
    level: "info",
    isMeta: false,
    compactMetadata: {
      trigger,
      preTokens,
      ...(postTokens !== undefined && { postTokens }),
      durationMs,
      ...(uuids.length > 0 && {
        preservedSegment: { headUuid: uuids[0], anchorUuid, tailUuid: uuids.at(-1) },
        preservedMessages: { anchorUuid, uuids },
      }),
    },
  };
}

/** The keys that mark the message with the summary in a transcript. */
export const SUMMARY_LINE: JsonObject = { isCompactSummary: true, isVisibleInTranscriptOnly: true };
