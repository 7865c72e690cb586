import { describe, expect, test } from "vitest";
import { printCoverage, protocolCoverage } from "../src/coverage/coverage.ts";
import { NOT_COVERED } from "../src/coverage/not-covered.ts";

const covered = await protocolCoverage();

describe("coverage", () => {
  test("has a scenario or a reason for every name in the protocol", () => {
    expect(covered.filter(({ scenarios, why }) => scenarios.length === 0 && why === undefined)).toEqual([]);
  });

  test("gives reasons only for names that exist and have no scenario", () => {
    const uncovered = covered
      .filter(({ why }) => why !== undefined)
      .map(({ kind, name }) => `${kind}: ${name}`);
    expect([...NOT_COVERED.keys()].toSorted()).toEqual(uncovered.toSorted());
  });

  test("includes every request and every message of a host on the official wire", () => {
    const missing = covered.filter(
      ({ kind, scenarios }) => /of the host$/.test(kind) && scenarios.length === 0,
    );
    expect(missing.map(({ name }) => name)).toEqual(["session_status"]);
  });

  test("is printed with scenarios and reasons", () => {
    const text = printCoverage(covered);
    expect(text).toMatch(/^ {2}mcp_toggle +mcp-requests$/m);
    expect(text).toMatch(/^ {2}TeammateIdle +not covered: did not come when tried/m);
    expect(text).toMatch(/^request of the host: 49 of 50$/m);
  });
});
