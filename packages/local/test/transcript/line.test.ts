import { describe, expect, test } from "vitest";
import { isLinked, keptBy, parentOf } from "../../src/transcript/line.ts";

const boundary = (compactMetadata: unknown) => ({
  type: "system",
  subtype: "compact_boundary",
  compactMetadata,
});
const segment = { anchorUuid: "s", headUuid: "a", tailUuid: "c" };

describe("the messages that a summary kept", () => {
  test("are a list, or the head of a segment that is already linked", () => {
    const listed = { anchorUuid: "s", uuids: ["a", 5, "b"] };
    expect(keptBy(boundary({ preservedMessages: listed, preservedSegment: segment }))).toEqual({
      anchor: "s",
      first: "a",
      last: "b",
      uuids: ["a", "b"],
      isListed: true,
    });
    expect(keptBy(boundary({ preservedSegment: segment }))).toEqual({
      anchor: "s",
      first: "a",
      last: "c",
      uuids: ["a"],
      isListed: false,
    });
  });

  test.each([
    undefined,
    "text",
    {},
    { preservedMessages: { uuids: [] }, preservedSegment: segment },
    { preservedMessages: { uuids: ["a"] } },
    { preservedSegment: { ...segment, headUuid: 5 } },
  ])("are none in %j", (metadata) => {
    expect(keptBy(boundary(metadata))).toBeUndefined();
  });
});

test("a line is linked by its type and uuid, and has a parent if that is named", () => {
  expect(isLinked({ type: "attachment", uuid: "a" })).toBe(true);
  expect([isLinked({ type: "custom-title", uuid: "a" }), isLinked({ type: "user" })]).toEqual([false, false]);
  expect([{ parentUuid: "p" }, { parentUuid: "" }, { parentUuid: null }].map(parentOf)).toEqual([
    "p",
    undefined,
    undefined,
  ]);
});
