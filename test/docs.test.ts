import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { coveragePage } from "../scripts/coverage-page.mjs";
import { driftPages } from "../scripts/drift-pages.mjs";
import { protocolReference } from "../scripts/protocol-reference.mjs";

test("docs/protocol.md is what the schemas say (if not: npm run docs)", () => {
  const written = readFileSync(new URL("../docs/protocol.md", import.meta.url), "utf8");
  expect(written).toBe(protocolReference());
});

test("docs/coverage.md is what the recordings say (if not: npm run docs)", async () => {
  const written = readFileSync(new URL("../docs/coverage.md", import.meta.url), "utf8");
  expect(written).toBe(await coveragePage());
});

test("docs/drift is what the contracts say (if not: npm run docs)", () => {
  const folder = new URL("../docs/drift/", import.meta.url);
  const written = readdirSync(folder).map(
    (name) => [name, readFileSync(new URL(name, folder), "utf8")] as const,
  );
  expect(new Map(written.toSorted())).toEqual(new Map([...driftPages()].toSorted()));
});
