import { describe, expect, test } from "vitest";
import { DEPRECATIONS, deprecationsFor } from "../../src/compatibility/deprecation.ts";
import { parseVersion } from "../../src/compatibility/version.ts";

const legacy = new Set(["legacy_permission_format"] as const);

describe("deprecationsFor", () => {
  test.each([
    ["1.0.128", 0],
    ["1.1.0-rc.1", 0],
    ["1.1.0", 1],
    ["2.1.325", 1],
    ["no version", 1],
  ])("for %s and the legacy permission format returns %i deprecation(s)", (text, count) => {
    expect(deprecationsFor(parseVersion(text), legacy)).toHaveLength(count);
  });

  test("returns nothing if nothing was observed", () => {
    expect(deprecationsFor(parseVersion("2.1.325"), new Set())).toEqual([]);
  });

  test("says what changed and what agentwire does about it", () => {
    expect(deprecationsFor(undefined, legacy).map(({ message }) => message)).toEqual([
      "DEPRECATION: Claude Code 1.1.0+ uses new permission format. agentwire will auto-convert, but update recommended.",
    ]);
  });

  test("names in each message the version it applies from", () => {
    for (const { message, since } of DEPRECATIONS) expect(message).toContain(`${since}+`);
  });
});
