import { readdirSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { fixtureFiles } from "./fixtures.ts";
import { TABLES } from "./tables.ts";

/** The number of fixtures in each folder, so that a missing fixture is noticed. */
const COUNTS: Readonly<Record<string, number>> = {
  claude_code_v1_0_x: 22,
  claude_code_v1_1_x: 2,
  claude_code_v2_0_x: 21,
  claude_code_v2_1_x: 9,
  dart: 20,
  jsonrpc: 20,
  miriad: 20,
};

test("every folder of fixtures has its contracts", () => {
  const folders = readdirSync(new URL(".", import.meta.url), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name);
  expect(TABLES.map(({ folder }) => folder).toSorted()).toEqual(folders.toSorted());
  expect(Object.keys(COUNTS).toSorted()).toEqual(folders.toSorted());
});

describe.each(TABLES)("$folder", ({ folder, contracts, talks }) => {
  test("has each fixture used by exactly one contract", () => {
    const used = [...contracts, ...talks].map(({ file }) => file);
    expect(used.toSorted(), `each fixture needs one contract or talk in ${folder}/`).toEqual(
      fixtureFiles(folder),
    );
  });

  test("contains the expected number of fixtures", () => {
    expect(fixtureFiles(folder), "for a new fixture, raise the number in COUNTS above").toHaveLength(
      COUNTS[folder] ?? 0,
    );
  });
});
