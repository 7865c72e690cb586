import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { computingMs } from "../../../../test/computing-time.ts";
import {
  compareVersions,
  isAtLeast,
  minorLine,
  parseVersion,
  placeInRange,
  printVersion,
  type Version,
} from "../../src/compatibility/version.ts";

const number = fc.nat({ max: 999_999_999 });
const identifier = fc.stringMatching(/^[0-9A-Za-z-]{1,8}$/);
const version: fc.Arbitrary<Version> = fc.record(
  {
    major: number,
    minor: number,
    patch: number,
    prerelease: fc.array(identifier, { minLength: 1, maxLength: 4 }).map((parts) => parts.join(".")),
  },
  { requiredKeys: ["major", "minor", "patch"] },
);

function parsed(text: string): Version {
  const result = parseVersion(text);
  if (result === undefined) throw new Error(`${text} is not a version`);
  return result;
}

describe("parseVersion", () => {
  test.each([
    [
      "claude v1.0.22 (anthropic-2024-12-01)",
      { major: 1, minor: 0, patch: 22, apiVersion: "anthropic-2024-12-01" },
    ],
    ["2.1.325 (Claude Code)", { major: 2, minor: 1, patch: 325 }],
    ["2.1.325 (agentwire 0.1.0)", { major: 2, minor: 1, patch: 325 }],
    ["1.0.22", { major: 1, minor: 0, patch: 22 }],
    ["v1.0.22", { major: 1, minor: 0, patch: 22 }],
    ["Claude V1.0.22", { major: 1, minor: 0, patch: 22 }],
    ["2.2.0-beta.1 (Claude Code)", { major: 2, minor: 2, patch: 0, prerelease: "beta.1" }],
    ["2.2.0-rc.1+build.7", { major: 2, minor: 2, patch: 0, prerelease: "rc.1" }],
    ["2.2.0+build.7", { major: 2, minor: 2, patch: 0 }],
    ["999999999.0.0", { major: 999_999_999, minor: 0, patch: 0 }],
  ])("parses %j", (text, expected) => {
    expect(parseVersion(text)).toEqual({ ...expected, text });
  });

  test.each([
    ["space around it", "\t 2.1.325 (Claude Code) \r\n\r\n"],
    ["a byte order mark before it", "\ufeff2.1.325 (Claude Code)\n"],
    ["noise before it", "Debugger attached.\nNow using node v20.11.0 (npm v10.2.4)\n2.1.325 (Claude Code)\n"],
    ["noise after it", "2.1.325 (Claude Code)\nWaiting for the debugger to disconnect...\n1.0.0\n"],
    ["an overlong line before it", `${"1".repeat(300)}\n2.1.325 (Claude Code)`],
  ])("finds the line with %s", (_title, output) => {
    expect(parseVersion(output)).toEqual({ major: 2, minor: 1, patch: 325, text: "2.1.325 (Claude Code)" });
  });

  test.each([
    "",
    "claude",
    "1.0",
    "1.0.x",
    "1.0.22.4",
    "01.0.22",
    "1.0.22-",
    "1.0.22-a..b",
    "1.0.22 Claude Code",
    "1.0.22 (Claude Code",
    "1.0.22(Claude Code)",
    "node v20.11.0",
    "vv1.0.22",
    "-1.0.22",
    "1000000000.0.0",
    "error: claude 1.0.22 not found",
    "١.٠.٢٢",
  ])("does not parse %j as a version", (text) => {
    expect(parseVersion(text)).toBeUndefined();
  });

  test("stops searching in endless output", () => {
    expect(parseVersion(`${"noise\n".repeat(10_000)}1.0.22`)).toBeUndefined();
  });

  test("never parses a truncated line as a version", () => {
    for (let length = 16_300; length < 16_400; length++) {
      const found = parseVersion(`${"-".repeat(length)}\n2.1.325 (Claude Code)\n`);
      expect([undefined, "2.1.325 (Claude Code)"]).toContain(found?.text);
    }
  });

  test("accepts any text without throwing", () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(..."0123.-+v ()\n\rabc"), maxLength: 400 }), (text) => {
        const result = parseVersion(text);
        if (result) expect(text).toContain(result.text);
      }),
    );
  });

  test.each([`1.0.0-${"a.".repeat(5_000_000)}`, `1.0.0${" ".repeat(10_000_000)}(`, "1".repeat(10_000_000)])(
    "handles hostile output quickly (case %#)",
    (output) => {
      const start = computingMs();
      expect(parseVersion(output)).toBeUndefined();
      expect(computingMs() - start).toBeLessThan(1000);
    },
  );

  test("parses what printVersion writes", () => {
    fc.assert(
      fc.property(version, (value) => {
        const text = printVersion(value);
        expect(parseVersion(text)).toEqual({ ...value, text });
      }),
    );
  });
});

describe("compareVersions", () => {
  const ascending = [
    "0.0.1",
    "0.1.0",
    "1.0.0-alpha",
    "1.0.0-alpha.1",
    "1.0.0-alpha.beta",
    "1.0.0-beta",
    "1.0.0-beta.2",
    "1.0.0-beta.11",
    "1.0.0-rc.1",
    "1.0.0",
    "1.0.9",
    "1.0.10",
    "1.1.0",
    "2.0.0",
    "10.0.0",
  ];

  test("follows the order of semantic versioning", () => {
    for (const [i, a] of ascending.entries()) {
      for (const [j, b] of ascending.entries()) {
        expect(Math.sign(compareVersions(parsed(a), parsed(b))), `${a} and ${b}`).toBe(Math.sign(i - j));
      }
    }
  });

  test("returns the opposite sign for swapped arguments", () => {
    fc.assert(
      fc.property(version, version, (a, b) => {
        expect(Math.sign(compareVersions(a, b)) + Math.sign(compareVersions(b, a))).toBe(0);
      }),
    );
  });

  test("ignores build metadata", () => {
    expect(compareVersions(parsed("1.0.0+a"), parsed("1.0.0+b"))).toBe(0);
  });
});

test("isAtLeast includes the release itself and excludes its prereleases", () => {
  expect(isAtLeast(parsed("1.0.128"), "1.0.128")).toBe(true);
  expect(isAtLeast(parsed("1.0.127"), "1.0.128")).toBe(false);
  expect(isAtLeast(parsed("1.0.128-rc.1"), "1.0.128")).toBe(false);
});

test("minorLine covers all patches of a minor version", () => {
  expect(minorLine(parsed("2.1.325-beta"))).toBe("2.1.x");
});

test.each([
  ["1.0.19", "below"],
  ["1.0.20-rc.1", "below"],
  ["0.99.99", "below"],
  ["1.0.20", "inside"],
  ["1.0.99", "inside"],
  ["1.1.0-beta", "inside"],
  ["1.1.0", "inside"],
  ["1.1.999999", "inside"],
  ["1.2.0-beta", "above"],
  ["1.2.0", "above"],
  ["2.0.0", "above"],
])("placeInRange places %s %s the range 1.0.20 to 1.1.x", (text, place) => {
  expect(placeInRange(parsed(text), { min: "1.0.20", max: "1.1.x" })).toBe(place);
});
