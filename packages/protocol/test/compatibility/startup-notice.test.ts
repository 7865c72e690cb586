import { describe, expect, test } from "vitest";
import { type KnownAgent, printNotice, startupNotice } from "../../src/compatibility/startup-notice.ts";
import { row, version } from "./matrix-row.ts";

const ours = row("agentwire", "0.1.0");
const noticeFor = (text: string, known?: KnownAgent) =>
  startupNotice(version(text), ours, "LIKELY_COMPATIBLE", known);

const EXPECTED_NOTICE = `Detected Claude Code v1.1.5 (tested with BetCode up to v1.0.x)

COMPATIBILITY NOTICE:
  - Stream format: Compatible (auto-adapting)
  - Permission protocol: Using legacy compatibility mode
  - New features available: context_window_info, tool_timing

Recommendation: Update BetCode to v0.3.x for full v1.1.x support
Documentation: https://betcode.dev/docs/compatibility

Starting daemon in LIKELY_COMPATIBLE mode...`;

test("an agent newer than the tested range gets exactly this notice", () => {
  const notice = startupNotice(version("1.1.5"), row("BetCode", "0.1.4"), "LIKELY_COMPATIBLE", {
    capabilities: ["interrupt_receipt_v1", "context_window_info", "tool_timing"],
    observed: new Set(["legacy_permission_format"]),
    documentation: "https://betcode.dev/docs/compatibility",
  });
  expect(printNotice(notice)).toBe(EXPECTED_NOTICE);
});

describe("startupNotice", () => {
  test("returns the facts about a version above the range as data", () => {
    expect(noticeFor("2.2.0")).toEqual({
      agent: "Claude Code",
      program: "agentwire",
      detected: "2.2.0",
      testedUpTo: "2.1.x",
      features: [
        { feature: "Stream format", state: "Compatible (auto-adapting)" },
        { feature: "Permission protocol", state: "Compatible" },
      ],
      newFeatures: undefined,
      recommendation: "Update agentwire once a release is tested with v2.2.x",
      level: "LIKELY_COMPATIBLE",
    });
  });

  test("lists what an old version lacks and recommends a newer agent", () => {
    expect(noticeFor("1.0.22")).toMatchObject({
      features: [
        { feature: "Stream format", state: "Compatible (whole messages only)" },
        { feature: "Permission protocol", state: "Unavailable (no prompts over stdio)" },
        {
          feature: "Rules",
          state: "Set by flags at startup (no hooks); calls that would need a question are denied",
        },
      ],
      recommendation: "Update Claude Code to v2.1.x for full agentwire v0.1.x support",
    });
  });

  test("reports nothing to adapt within the range", () => {
    expect(noticeFor("2.1.0").features[0]).toEqual({ feature: "Stream format", state: "Compatible" });
  });

  test("removes the agent's control characters from the text", () => {
    const text = printNotice(noticeFor("2.2.0", { capabilities: ["\u001b[2J", "a\nStarting", "fine_v1"] }));
    expect(text).toContain("  - New features available: fine_v1\n");
    expect(text).not.toContain("\u001b");
  });
});

describe("printNotice", () => {
  test("distinguishes between no new features and none announced yet", () => {
    expect(printNotice(noticeFor("2.2.0", { capabilities: [] }))).toContain(
      "  - New features available: none\n",
    );
    const notYet = "  - New features available: known after its first session\n";
    expect(printNotice(noticeFor("2.2.0"))).toContain(notYet);
  });

  test("omits the link to the documentation if there is none", () => {
    expect(printNotice(noticeFor("2.2.0", { agent: { title: "Other Agent", command: "other" } }))).toBe(
      `Detected Other Agent v2.2.0 (tested with agentwire up to v2.1.x)

COMPATIBILITY NOTICE:
  - Stream format: Compatible (auto-adapting)
  - Permission protocol: Compatible
  - New features available: known after its first session

Recommendation: Update agentwire once a release is tested with v2.2.x

Starting daemon in LIKELY_COMPATIBLE mode...`,
    );
  });
});
