import type { Chain } from "./chain.ts";
import { blocksOf, type Entry, isPrompt, isToolResult } from "./entry.ts";

/** Where to cut off a resumed conversation. */
export interface ResumePoint {
  /** The last line to keep. */
  readonly resumeAt?: string;
  /** The prompt whose turn is the only one that may be dropped. */
  readonly dropsTurn?: string;
}

/** The kept and dropped lines of a resumed conversation, or why it can't be resumed there. */
export type CutResult =
  | { readonly kept: readonly Entry[]; readonly dropped: readonly Entry[] }
  | { readonly refusal: string };

/** Cuts a conversation off after the line to resume from. */
export function cutAt(chain: Chain, { resumeAt, dropsTurn }: ResumePoint): CutResult {
  const newest = chain.newest();
  if (resumeAt === undefined) return { kept: newest, dropped: [] };
  const at = newest.findIndex(({ uuid }) => uuid === resumeAt);
  const kept = at >= 0 ? newest.slice(0, at + 1) : chain.upTo(resumeAt);
  if (kept.length === 0) return { refusal: `No message found with message.uuid of: ${resumeAt}` };
  const keptUuids = new Set(kept.map(({ uuid }) => uuid));
  const dropped = newest.filter(({ uuid }) => !keptUuids.has(uuid));
  const stray = dropsTurn === undefined ? undefined : outsideTurn(kept, dropped, dropsTurn);
  if (!stray) return { kept, dropped };
  return {
    refusal: `Resume rejected by --resume-drops-turn: ${stray.type} entry ${stray.uuid} after ${resumeAt} is not part of turn ${dropsTurn}`,
  };
}

/** The first line that would be dropped although it is not part of the given turn. */
function outsideTurn(
  kept: readonly Entry[],
  dropped: readonly Entry[],
  promptUuid: string,
): Entry | undefined {
  let inTurn = kept.findLast(isPrompt)?.uuid === promptUuid;
  for (const entry of dropped) {
    if (isPrompt(entry)) {
      if (entry.uuid !== promptUuid) return entry;
      inTurn = true;
    } else if (!inTurn && isPayload(entry)) return entry;
  }
  return undefined;
}

/** Whether a line is a reply or a successful tool result; a failed result may just mark an interrupt. */
function isPayload(entry: Entry): boolean {
  if (entry.type === "assistant") return true;
  return (
    isToolResult(entry) &&
    blocksOf(entry).some(({ type, is_error }) => type === "tool_result" && is_error !== true)
  );
}
