import { describe, expect, test } from "vitest";
import {
  capabilitiesOf,
  FEATURES,
  type FeatureName,
  newCapabilities,
  supports,
} from "../../src/compatibility/capabilities.ts";
import { parseVersion } from "../../src/compatibility/version.ts";

const features = Object.keys(FEATURES) as FeatureName[];
const supportedBy = (text: string) =>
  features.filter((name) => supports(parseVersion(text), undefined, name));

describe("supports", () => {
  const of1_0_128 = [
    "control_requests",
    "stdio_permission_prompts",
    "hook_callbacks",
    "partial_messages",
    "session_flags",
    "setting_sources",
  ];
  const of2_0_77 = [...of1_0_128, "hook_timeouts", "allow_skip_permissions_flag"];
  test.each([
    ["1.0.22", []],
    ["1.0.127", []],
    ["1.0.128", of1_0_128],
    ["2.0.76", of1_0_128],
    ["2.0.77", of2_0_77],
    ["2.1.97", of2_0_77],
    ["2.1.98", [...of2_0_77, "session_mirror"]],
    ["2.1.324", [...of2_0_77, "session_mirror"]],
    ["2.1.325", features],
    ["3.0.0", features],
  ])("knows by version which features %s has", (text, expected) => {
    expect(supportedBy(text).sort()).toEqual(expected.toSorted());
  });

  test("treats an unknown version as the newest", () => {
    for (const name of features) expect(supports(undefined, undefined, name)).toBe(true);
  });

  test("prefers announced capabilities to the version, both ways", () => {
    const old = parseVersion("1.0.128");
    const current = parseVersion("2.1.325");
    expect(supports(old, ["interrupt_receipt_v1"], "interrupt_receipts")).toBe(true);
    expect(supports(current, ["msg_lifecycle_v1"], "interrupt_receipts")).toBe(false);
    expect(supports(undefined, [], "interrupt_receipts")).toBe(false);
  });

  test("uses the version for a feature that no capability announces", () => {
    expect(supports(parseVersion("1.0.22"), ["interrupt_receipt_v1"], "control_requests")).toBe(false);
    expect(supports(parseVersion("2.1.325"), [], "control_requests")).toBe(true);
  });
});

test.each([
  [{}, undefined],
  [{ capabilities: "interrupt_receipt_v1" }, undefined],
  [{ capabilities: null }, undefined],
  [{ capabilities: [] }, []],
  [{ capabilities: ["a", 1, null, "b"] }, ["a", "b"]],
])("capabilitiesOf reads %j as %j", (init, expected) => {
  expect(capabilitiesOf(init)).toEqual(expected);
});

describe("newCapabilities", () => {
  test("returns only capabilities that this release does not know, once each and in order", () => {
    const list = ["tool_timing", "interrupt_receipt_v1", "context_window_info", "tool_timing"];
    expect(newCapabilities(list)).toEqual(["tool_timing", "context_window_info"]);
  });

  test("knows every capability that announces a feature", () => {
    const announced = Object.values(FEATURES).flatMap((row) => ("capability" in row ? [row.capability] : []));
    expect(announced).not.toEqual([]);
    expect(newCapabilities(announced)).toEqual([]);
  });

  test.each(["", "a b", "a\nb", "\u001b[31mred", "x".repeat(65), "__proto__\u0000"])(
    "leaves out %j, which is not printable",
    (name) => {
      expect(newCapabilities([name])).toEqual([]);
    },
  );

  test("returns at most 32 names", () => {
    expect(newCapabilities(Array.from({ length: 1000 }, (_, i) => `new_${i}`))).toHaveLength(32);
  });
});
