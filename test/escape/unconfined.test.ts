import { expect, test } from "vitest";
import { makeRange } from "./range.ts";
import { TRIES } from "./tries.ts";

const isRoot = process.getuid?.() === 0;
const working = Object.entries(TRIES)
  .filter(([, { never, needsRoot }]) => never === undefined && (isRoot || !needsRoot))
  .map(([id]) => id);

test("every way out works without a sandbox", { timeout: 120_000 }, async () => {
  const range = await makeRange();
  try {
    const found = new Set<string>();
    for (const id of working) for (const out of await range.unconfined(id)) found.add(out);
    for (const out of await range.escaped()) found.add(out);
    expect(working.filter((id) => !found.has(id))).toEqual([]);
    expect(working.length).toBeGreaterThanOrEqual(60);
  } finally {
    await range.close();
  }
});
