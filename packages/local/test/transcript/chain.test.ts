import { type LinkedLine, linesTo, relinkedParents } from "@agentwire/local/transcript";
import { describe, expect, test } from "vitest";

const line = (uuid: string, parentUuid: string | null, more = {}): LinkedLine => ({
  type: "user",
  uuid,
  parentUuid,
  ...more,
});

const byUuid = (lines: readonly LinkedLine[]) => new Map(lines.map((entry) => [entry.uuid, entry]));

/** A conversation in which a summary kept the messages c and d. */
const summarized = (compactMetadata: object) => [
  line("a", null),
  line("b", "a"),
  line("c", "b"),
  line("d", "c"),
  line("boundary", null, { type: "system", subtype: "compact_boundary", compactMetadata }),
  line("summary", "boundary", { isCompactSummary: true }),
  line("e", "summary"),
];

const wayTo = (leaf: string, lines: readonly LinkedLine[]) => {
  const parents = relinkedParents(byUuid(lines));
  return linesTo(leaf, (uuid) => parents.get(uuid));
};

describe("the chain of a session file", () => {
  test("follows the parents of its lines", () => {
    expect(wayTo("c", [line("a", null), line("b", "a"), line("x", "a"), line("c", "b")])).toEqual([
      "a",
      "b",
      "c",
    ]);
  });

  test.each([
    ["a list", { preservedMessages: { anchorUuid: "summary", uuids: ["c", "d"] } }],
    ["a segment", { preservedSegment: { anchorUuid: "summary", headUuid: "c", tailUuid: "d" } }],
  ])("puts messages that a summary kept as %s after the summary", (_form, metadata) => {
    expect(wayTo("e", summarized(metadata))).toEqual(["boundary", "summary", "c", "d", "e"]);
  });

  test("leaves messages where they are if one of those that a summary kept is missing", () => {
    const metadata = { preservedMessages: { anchorUuid: "summary", uuids: ["c", "gone"] } };
    expect(wayTo("e", summarized(metadata))).toEqual(["boundary", "summary", "e"]);
  });

  test("continues from the end of a kept segment even if that line is missing, as in the official programs", () => {
    const metadata = { preservedSegment: { anchorUuid: "summary", headUuid: "c", tailUuid: "gone" } };
    expect(wayTo("e", summarized(metadata))).toEqual(["gone", "e"]);
  });

  test("ends at a cycle", () => {
    expect(wayTo("b", [line("a", "b"), line("b", "a")])).toEqual(["a", "b"]);
  });
});
