import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { matrixRow } from "../../src/compatibility/check.ts";
import { COMPATIBILITY_MATRIX } from "../../src/compatibility/matrix.ts";
import { parseVersion } from "../../src/compatibility/version.ts";

test("the matrix contains the three rows of BetCode's history and our own", () => {
  expect(
    COMPATIBILITY_MATRIX.map(({ program, release, agent }) => [program, release, agent.min, agent.max]),
  ).toEqual([
    ["BetCode", "0.1.x", "1.0.15", "1.0.x"],
    ["BetCode", "0.2.x", "1.0.20", "1.1.x"],
    ["BetCode", "0.3.x", "1.1.0", "2.0.x"],
    ["agentwire", "0.1.x", "1.0.22", "2.1.x"],
  ]);
});

test("the matrix has a row for this package's version", () => {
  const manifest = JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8"));
  const version = parseVersion(manifest.version);
  expect(version && matrixRow(version)).toMatchObject({ program: "agentwire" });
});
