import { describe, expect, test } from "vitest";
import { checkCompatibility, matrixRow } from "../../src/compatibility/check.ts";
import { COMPATIBILITY_LEVELS } from "../../src/compatibility/level.ts";
import { COMPATIBILITY_MATRIX, type MatrixRow } from "../../src/compatibility/matrix.ts";
import { row, version } from "./matrix-row.ts";

const check = (text: string, against: MatrixRow) =>
  checkCompatibility({ outcome: "found", version: version(text) }, against);

const ours = row("agentwire", "0.1.0");

test("the levels have the numbers of the daemon's contract", () => {
  expect(COMPATIBILITY_LEVELS).toEqual({
    UNKNOWN: 0,
    FULLY_COMPATIBLE: 1,
    LIKELY_COMPATIBLE: 2,
    DEGRADED: 3,
    INCOMPATIBLE: 4,
  });
});

describe("matrixRow", () => {
  test("selects the row by our major and minor version", () => {
    expect(row("BetCode", "0.2.17").agent.min).toBe("1.0.20");
    expect(row("agentwire", "0.1.99").agent.min).toBe("1.0.22");
  });

  test("returns no row for a version that is not in the matrix", () => {
    expect(matrixRow(version("0.2.0"))).toBeUndefined();
    expect(matrixRow(version("0.1.0"), "constructor")).toBeUndefined();
  });
});

describe("checkCompatibility", () => {
  test.each([
    ["BetCode", "0.1.0", "1.0.14", "INCOMPATIBLE"],
    ["BetCode", "0.1.0", "1.0.15", "FULLY_COMPATIBLE"],
    ["BetCode", "0.1.0", "1.0.99999", "FULLY_COMPATIBLE"],
    ["BetCode", "0.1.0", "1.1.0", "LIKELY_COMPATIBLE"],
    ["BetCode", "0.2.0", "1.0.19", "INCOMPATIBLE"],
    ["BetCode", "0.2.0", "1.0.20", "FULLY_COMPATIBLE"],
    ["BetCode", "0.2.0", "1.1.98", "FULLY_COMPATIBLE"],
    ["BetCode", "0.2.0", "1.1.99", "FULLY_COMPATIBLE"],
    ["BetCode", "0.2.0", "1.1.100", "FULLY_COMPATIBLE"],
    ["BetCode", "0.2.0", "1.2.0", "LIKELY_COMPATIBLE"],
    ["BetCode", "0.3.0", "1.0.99999", "INCOMPATIBLE"],
    ["BetCode", "0.3.0", "1.1.0-rc.1", "INCOMPATIBLE"],
    ["BetCode", "0.3.0", "1.1.0", "FULLY_COMPATIBLE"],
    ["BetCode", "0.3.0", "2.0.99999", "FULLY_COMPATIBLE"],
    ["BetCode", "0.3.0", "2.1.0", "LIKELY_COMPATIBLE"],
    ["agentwire", "0.1.0", "1.0.21", "INCOMPATIBLE"],
    ["agentwire", "0.1.0", "1.0.22", "FULLY_COMPATIBLE"],
    ["agentwire", "0.1.0", "2.1.325", "FULLY_COMPATIBLE"],
    ["agentwire", "0.1.0", "2.1.99999", "FULLY_COMPATIBLE"],
    ["agentwire", "0.1.0", "2.2.0-beta.1", "LIKELY_COMPATIBLE"],
    ["agentwire", "0.1.0", "2.2.0", "LIKELY_COMPATIBLE"],
    ["agentwire", "0.1.0", "3.0.0", "LIKELY_COMPATIBLE"],
  ])("for %s %s rates agent %s as %s", (program, release, agent, level) => {
    expect(check(agent, row(program, release)).level).toBe(level);
  });

  test("reports a version in the range as compatible", () => {
    expect(check("2.1.325 (Claude Code)", ours)).toEqual({
      level: "FULLY_COMPATIBLE",
      logLevel: "info",
      message: "Claude Code v2.1.325 detected (compatible)",
      detected: "Claude Code v2.1.325",
    });
  });

  test("adds a notice for a version in the range that can't ask for permission", () => {
    expect(check("claude v1.0.22 (anthropic-2024-12-01)", ours)).toMatchObject({
      level: "FULLY_COMPATIBLE",
      logLevel: "info",
      message: "Claude Code v1.0.22 detected (compatible)",
      notice: { detected: "1.0.22", level: "FULLY_COMPATIBLE" },
    });
  });

  test("refuses a version below the minimum with exit code 78", () => {
    expect(check("1.0.10", row("BetCode", "0.2.0"))).toEqual({
      level: "INCOMPATIBLE",
      exitCode: 78,
      logLevel: "error",
      message: "Claude Code v1.0.10 < required v1.0.20",
      detected: "Claude Code v1.0.10",
    });
  });

  test("continues with a version above the range, with a warning and a notice", () => {
    const verdict = check("2.0.0", row("BetCode", "0.2.0"));
    expect(verdict).toMatchObject({
      level: "LIKELY_COMPATIBLE",
      logLevel: "warn",
      message: "Claude Code v2.0.0 > tested v1.1.x, may have breaking changes",
      notice: { detected: "2.0.0", testedUpTo: "1.1.x", level: "LIKELY_COMPATIBLE" },
    });
    expect(verdict.exitCode).toBeUndefined();
  });

  test("refuses to start without an agent, with exit code 72", () => {
    expect(checkCompatibility({ outcome: "not_found" }, ours)).toEqual({
      level: "INCOMPATIBLE",
      exitCode: 72,
      logLevel: "error",
      message: "claude CLI not found in PATH",
    });
  });

  test("refuses to start an agent that can't be run, with exit code 72 and the reason", () => {
    const reason = "it exited with code 127: env: 'node': No such file or directory";
    expect(checkCompatibility({ outcome: "not_found", reason }, ours)).toEqual({
      level: "INCOMPATIBLE",
      exitCode: 72,
      logLevel: "error",
      message: `Claude Code can't be run: ${reason}`,
    });
  });

  test("continues with an agent that failed when asked for its version, and reports the failure", () => {
    expect(checkCompatibility({ outcome: "failed", reason: "it exited with code 1: no key" }, ours)).toEqual({
      level: "UNKNOWN",
      logLevel: "error",
      message: "Claude Code did not report its version: it exited with code 1: no key",
      hasFailed: true,
    });
  });

  test("continues with a warning if the output can't be read, and quotes its start", () => {
    expect(checkCompatibility({ outcome: "unreadable", output: "\u001b[31moops" }, ours)).toEqual({
      level: "UNKNOWN",
      logLevel: "warn",
      message: 'Claude Code version not understood: "\\u001b[31moops", treated as the newest',
    });
    const long = checkCompatibility({ outcome: "unreadable", output: "x".repeat(1_000_000) }, ours);
    expect(long.message.length).toBeLessThan(200);
  });

  test("calls another agent by its own name", () => {
    const known = { agent: { title: "Other Agent", command: "other" } };
    const found = { outcome: "found", version: version("2.1.0") } as const;
    expect(checkCompatibility(found, ours, known).message).toBe("Other Agent v2.1.0 detected (compatible)");
    expect(checkCompatibility({ outcome: "not_found" }, ours, known).message).toBe(
      "other CLI not found in PATH",
    );
  });

  test("returns an exit code only for an incompatible agent", () => {
    for (const against of COMPATIBILITY_MATRIX) {
      for (const text of ["0.0.1", "1.0.15", "1.0.21", "1.1.0", "2.0.0", "2.1.0", "9.9.9"]) {
        const verdict = check(text, against);
        expect(verdict.exitCode === undefined).toBe(verdict.level !== "INCOMPATIBLE");
      }
    }
  });
});
