import { createHash } from "node:crypto";

const MASKS: readonly (readonly [RegExp, string])[] = [
  [/\/\S*\/(?:tasks|tool-results)\/\w+\.(?:txt|output)/g, "<file>"],
  [/(?<=ID: )b[0-9a-z]{8}\b/g, "<id>"],
  [/(?<=Inserted cell )[0-9a-f]{8}\b/g, "<id>"],
  [/\ba[0-9a-f]{8,16}\b/g, "<agent>"],
  [/(?<=duration_ms: )\d+/g, "<ms>"],
];
const LONGEST = 3000;
const SHOWN = { head: 1200, tail: 300 };

/** A result without what differs from one run to the next, and with the middle of a long one told by its digest. */
export function steadyText(text: string, anyOrder = false): string {
  const masked = MASKS.reduce((masked, [pattern, name]) => masked.replace(pattern, name), text);
  const ordered = anyOrder ? masked.split("\n").sort().join("\n") : masked;
  if (ordered.length <= LONGEST) return ordered;
  const digest = createHash("sha256").update(ordered).digest("hex").slice(0, 16);
  const middle = `… ${ordered.length} characters, sha256 ${digest} …`;
  return [ordered.slice(0, SHOWN.head), middle, ordered.slice(-SHOWN.tail)].join("\n");
}
