import type { Chain } from "./chain.ts";
import { blocksOf, type Entry, isPrompt, isToolResult } from "./entry.ts";

/** Where a resumed conversation is to end. */
export interface ResumePoint {
  /** The last line that is kept. */
  readonly resumeAt?: string;
  /** The prompt whose turn is all that may be lost by it. */
  readonly dropsTurn?: string;
}

/** The lines of a resumed conversation and the ones it leaves behind, or why it cannot be resumed there. */
export type CutResult =
  | { readonly kept: readonly Entry[]; readonly dropped: readonly Entry[] }
  | { readonly refusal: string };

/** Cuts a conversation off after the line where it is to be resumed. */
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

/** The first line that would be lost although it does not belong to the turn that is given up. */
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

/** Replies and results that a turn has brought; a failed result is only the mark of an interrupt. */
function isPayload(entry: Entry): boolean {
  if (entry.type === "assistant") return true;
  return (
    isToolResult(entry) &&
    blocksOf(entry).some(({ type, is_error }) => type === "tool_result" && is_error !== true)
  );
}
