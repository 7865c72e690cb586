import { isDeepStrictEqual } from "node:util";
import { DIFFERENCES } from "./differences.ts";
import type { CallResult } from "./play-calls.ts";
import type { Results } from "./recorded-results.ts";
import { WORDINGS } from "./wordings.ts";

/** The comparison of a call: the same, worded differently, deliberately different, or different. */
export type CallComparison = "same" | "worded" | "listed" | "different";

/** A call with its comparison. */
export interface JudgedCall {
  readonly group: string;
  readonly call: string;
  readonly verdict: CallComparison;
  readonly official: CallResult;
  readonly ours: CallResult | undefined;
}

/** Compares the answers of an agent's tools with those of the official agent. */
export function judge(official: Results, ours: Results): readonly JudgedCall[] {
  return Object.entries(official).flatMap(([group, calls]) =>
    Object.entries(calls).map(([call, result]) => {
      const own = ours[group]?.[call];
      return { group, call, verdict: verdictOf(group, call, result, own), official: result, ours: own };
    }),
  );
}

function verdictOf(group: string, call: string, official: CallResult, ours?: CallResult): CallComparison {
  if (isDeepStrictEqual(official, ours)) return "same";
  if (ours !== undefined && isReworded(official, ours)) return "worded";
  return DIFFERENCES.some((listed) => listed.group === group && listed.call === call)
    ? "listed"
    : "different";
}

/** Whether one of the wordings matches both results, with the same facts in both. */
function isReworded(official: CallResult, ours: CallResult): boolean {
  return (
    official.isError === ours.isError &&
    WORDINGS.some((wording) => {
      const facts = wording.official.exec(official.text);
      const own = wording.ours.exec(ours.text);
      return facts !== null && own !== null && isDeepStrictEqual([...facts].slice(1), [...own].slice(1));
    })
  );
}
