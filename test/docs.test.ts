import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { protocolReference } from "../scripts/protocol-reference.mjs";

test("docs/protocol.md is what the schemas say (if not: npm run docs)", () => {
  const written = readFileSync(new URL("../docs/protocol.md", import.meta.url), "utf8");
  expect(written).toBe(protocolReference());
});
