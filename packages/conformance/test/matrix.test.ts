import { readdirSync, readFileSync } from "node:fs";
import {
  COMPATIBILITY_MATRIX,
  checkCompatibility,
  compareVersions,
  minorLine,
  OUR_PROGRAM,
  parseVersion,
  supports,
} from "@agentwire/protocol/compatibility";
import { describe, expect, test } from "vitest";
import { readContract } from "../src/drift/read-contract.ts";

const CONTRACTS = new URL("../contracts/", import.meta.url);
const INSTALLED = new URL("../../../test/versions/package.json", import.meta.url);

const contracts = (
  await Promise.all(readdirSync(CONTRACTS).map((file) => readContract(new URL(file, CONTRACTS))))
)
  .map((contract) => ({ contract, version: versionOf(contract.agent) }))
  .sort((a, b) => compareVersions(a.version, b.version));
const [row] = COMPATIBILITY_MATRIX.filter(({ program }) => program === OUR_PROGRAM);
if (row === undefined) throw new Error("the matrix has no row of ours");

function versionOf(text: string) {
  const version = parseVersion(text);
  if (version === undefined) throw new Error(`${text} is not a version`);
  return version;
}

const printed = contracts.map(({ contract }) => contract.agent.split(" ")[0] ?? "");

describe("our release's row in the compatibility matrix", () => {
  test("covers versions from the oldest contract to the release line of the newest", () => {
    const newest = contracts.at(-1)?.version;
    expect(row.agent.min).toBe(printed[0]);
    expect(row.agent.max).toBe(newest && minorLine(newest));
  });

  test("names the tested versions: those that were recorded and those that the tests install", () => {
    expect(row.notes.match(/\d+\.\d+\.\d+/g)?.slice(-printed.length)).toEqual(printed);
    const { dependencies, optionalDependencies } = JSON.parse(readFileSync(INSTALLED, "utf8"));
    const installed = Object.values<string>({ ...dependencies, ...optionalDependencies });
    expect(new Set(installed.map((version) => version.split("@").at(-1)))).toEqual(new Set(printed));
  });

  test.each(contracts)("rates $contract.agent as fully compatible", ({ version }) => {
    expect(checkCompatibility({ outcome: "found", version }, row).level).toBe("FULLY_COMPATIBLE");
  });

  test.each(contracts)(
    "agrees with the contract about questions, deltas and interrupts: $contract.agent",
    ({ contract, version }) => {
      const canAsk = supports(version, undefined, "stdio_permission_prompts");
      expect({
        questions: contract.asksHost,
        deltas: Object.keys(contract.messages).some((kind) => kind.startsWith("stream_event")),
        interrupts: contract.requests.interrupt === "success",
      }).toEqual({ questions: canAsk, deltas: canAsk, interrupts: canAsk });
    },
  );
});
