import { describe, expect, test } from "vitest";
import { Degradation, missingFeatures } from "../../src/compatibility/degradation.ts";
import type { CompatibilityLevel } from "../../src/compatibility/level.ts";

const TOOLS = { tools: ["Bash", "Read"] };

describe("unknown message types", () => {
  test("are counted, with a single warning at the tenth", () => {
    const degradation = new Degradation("LIKELY_COMPATIBLE");
    const notices = Array.from({ length: 30 }, (_, i) =>
      degradation.recordUnknownType(i % 2 ? "pulse" : "mood"),
    );
    expect(notices.flatMap((notice, i) => (notice ? [i + 1] : []))).toEqual([10]);
    expect(notices[9]).toEqual({
      logLevel: "warn",
      text:
        'Received 10+ unknown message types: ["mood","pulse"]. ' +
        "Claude Code may have updated. Consider upgrading agentwire.",
    });
    expect(degradation.counters()).toMatchObject({
      unknown_types: 30,
      unknown_type_names: ["mood", "pulse"],
    });
  });

  test("lower the level at the tenth and not before", () => {
    const degradation = new Degradation("FULLY_COMPATIBLE");
    for (let i = 0; i < 9; i++) degradation.recordUnknownType("pulse");
    expect(degradation.level()).toBe("FULLY_COMPATIBLE");
    degradation.recordUnknownType("pulse");
    expect(degradation.level()).toBe("DEGRADED");
  });

  test("are remembered as at most 100 short names, however many and long they are", () => {
    const degradation = new Degradation("LIKELY_COMPATIBLE");
    for (let i = 0; i < 1000; i++) degradation.recordUnknownType(`${i}:${"x".repeat(10_000)}`);
    const { unknown_types, unknown_type_names } = degradation.counters();
    expect(unknown_types).toBe(1000);
    expect(unknown_type_names).toHaveLength(100);
    for (const name of unknown_type_names) expect(name.length).toBeLessThanOrEqual(65);
  });

  test("may be named like members of Object.prototype", () => {
    const degradation = new Degradation("LIKELY_COMPATIBLE");
    degradation.recordUnknownType("__proto__");
    degradation.recordUnknownType("constructor");
    expect(degradation.counters().unknown_type_names).toEqual(["__proto__", "constructor"]);
  });
});

describe("parse failures", () => {
  test("fail the session within the tested range", () => {
    const degradation = new Degradation("FULLY_COMPATIBLE");
    expect(degradation.recordParseFailure("result", "usage is not an object")).toEqual({
      action: "fail_session",
      notice: { logLevel: "error", text: "Parse error for known type 'result': usage is not an object" },
    });
    expect(degradation.counters()).toMatchObject({ parse_errors_fatal: 1, parse_errors_tolerated: 0 });
    expect(degradation.level()).toBe("DEGRADED");
  });

  test.each(["LIKELY_COMPATIBLE", "UNKNOWN", "DEGRADED"] as const)(
    "are counted and skipped at level %s",
    (level) => {
      const degradation = new Degradation(level);
      degradation.recordParseFailure("result", "first");
      expect(degradation.recordParseFailure("result", "usage is not an object")).toEqual({
        action: "skip",
        notice: {
          logLevel: "error",
          text:
            "Failed to parse 'result': usage is not an object. " +
            "Running in tolerant mode due to untested Claude Code version.",
        },
      });
      expect(degradation.counters()).toMatchObject({ parse_errors_fatal: 0, parse_errors_tolerated: 2 });
      expect(degradation.level()).toBe("DEGRADED");
    },
  );
});

describe("missing critical features", () => {
  const schema = { type: "object" };
  test.each([
    ["tools by name alone are normal", { tools: ["Bash", "Read"] }, []],
    ["no Bash", { tools: ["Read"] }, ["Bash tool"]],
    ["no tools at all", { tools: [] }, ["Bash tool"]],
    [
      "one schema is enough",
      { tools: ["Bash"], tool_definitions: [{ name: "Bash" }, { name: "Read", input_schema: schema }] },
      [],
    ],
    [
      "no schema",
      { tools: ["Bash"], tool_definitions: [{ name: "Bash" }, { name: "Read" }] },
      ["Tool input schemas"],
    ],
    [
      "null schemas",
      { tools: ["Bash"], tool_definitions: [{ name: "Bash", input_schema: null }] },
      ["Tool input schemas"],
    ],
    ["no definitions in the list", { tools: ["Bash"], tool_definitions: [] }, []],
    [
      "Bash only as a definition",
      { tools: [], tool_definitions: [{ name: "Bash", input_schema: schema }] },
      [],
    ],
    [
      "neither Bash nor schemas",
      { tools: ["Read"], tool_definitions: [{ name: "Read" }] },
      ["Bash tool", "Tool input schemas"],
    ],
  ])("%s", (_title, offered, expected) => {
    expect(missingFeatures(offered)).toEqual(expected);
  });

  test("cause a warning only when they change, since every turn sends an init", () => {
    const degradation = new Degradation("FULLY_COMPATIBLE");
    const notices = [TOOLS, { tools: [] }, { tools: [] }, TOOLS, { tools: [] }].map((offered) =>
      degradation.checkFeatures(offered),
    );
    const warning = { logLevel: "warn", text: 'Missing expected features: ["Bash tool"]' };
    expect(notices).toEqual([undefined, warning, undefined, undefined, warning]);
  });

  test("lower the level as long as they are missing", () => {
    const degradation = new Degradation("FULLY_COMPATIBLE");
    degradation.checkFeatures({ tools: [] });
    expect(degradation.level()).toBe("DEGRADED");
    expect(degradation.counters().missing_features).toEqual(["Bash tool"]);
    degradation.checkFeatures(TOOLS);
    expect(degradation.level()).toBe("FULLY_COMPATIBLE");
  });
});

test.each<[CompatibilityLevel, CompatibilityLevel]>([
  ["UNKNOWN", "DEGRADED"],
  ["FULLY_COMPATIBLE", "DEGRADED"],
  ["LIKELY_COMPATIBLE", "DEGRADED"],
  ["DEGRADED", "DEGRADED"],
  ["INCOMPATIBLE", "INCOMPATIBLE"],
])("level %s is unchanged without problems and becomes %s with them", (probed, lowered) => {
  const degradation = new Degradation(probed);
  expect(degradation.level()).toBe(probed);
  degradation.recordParseFailure("result", "bad");
  expect(degradation.level()).toBe(lowered);
});

test("counters are a snapshot", () => {
  const degradation = new Degradation("LIKELY_COMPATIBLE", { title: "Other Agent", command: "other" });
  const before = degradation.counters();
  degradation.recordUnknownType("pulse");
  expect(before).toEqual({
    unknown_types: 0,
    unknown_type_names: [],
    parse_errors_tolerated: 0,
    parse_errors_fatal: 0,
    missing_features: [],
  });
  expect(degradation.recordParseFailure("x", "y").notice.text).toContain("untested Other Agent version");
});
