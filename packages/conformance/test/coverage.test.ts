import { describe, expect, test } from "vitest";
import { printCoverage, protocolCoverage } from "../src/coverage/coverage.ts";
import { NOT_COVERED, OURS } from "../src/coverage/not-covered.ts";

const covered = await protocolCoverage();

describe("coverage", () => {
  test("has a scenario or a reason for every name in the protocol", () => {
    expect(
      covered.filter(({ scenarios, why }) => scenarios.length === 0 && why === undefined),
      "record a scenario for each of these, or give the reason in src/coverage/not-covered.ts",
    ).toEqual([]);
  });

  test("gives reasons only for names that exist and have no scenario", () => {
    const uncovered = covered
      .filter(({ why }) => why !== undefined)
      .map(({ kind, name }) => `${kind}: ${name}`);
    expect([...NOT_COVERED.keys()].toSorted(), "see src/coverage/not-covered.ts").toEqual(
      uncovered.toSorted(),
    );
  });

  test("includes every request and every message of a host on the official wire", () => {
    const missing = covered.filter(
      ({ kind, scenarios, why }) => /of the host$/.test(kind) && scenarios.length === 0 && why !== OURS,
    );
    expect(missing).toEqual([]);
  });

  test("is printed with scenarios and reasons", () => {
    const text = printCoverage(covered);
    expect(text).toMatch(/^ {2}mcp_toggle +mcp-requests$/m);
    expect(text).toMatch(/^ {2}TeammateIdle +not covered: not seen when tried/m);
    const requests = covered.filter(({ kind }) => kind === "request of the host");
    const ours = requests.filter(({ why }) => why === OURS);
    expect(ours.map(({ name }) => name)).toContain("session_status");
    expect(text).toContain(`request of the host: ${requests.length - ours.length} of ${requests.length}\n`);
  });
});
