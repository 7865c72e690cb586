import { mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { PLACE_FOR_STORES } from "../../../../test/place-for-stores.ts";
import { NodeLines } from "../../src/store/postgres/node-lines.ts";
import type { RawLog } from "../../src/store/store.ts";

const folder = mkdtempSync(join(PLACE_FOR_STORES, "agentwire-lines-"));
const lines = new NodeLines(folder, (error) => {
  throw error;
});
afterAll(() => {
  lines.close();
  rmSync(folder, { recursive: true });
});

const line = (seq: number) => ({ seq, line: `"${seq}"` });
/** Lines on the server, of which a page has only one, as if they were large. */
const OLDER: RawLog = {
  after: async (_, seq) => [line(2), line(5), line(6)].filter((one) => one.seq > seq).slice(0, 1),
  before: async (_, seq) => [line(2), line(5), line(6)].filter((one) => one.seq < seq).slice(-1),
  sizes: async () => [],
};

test("pages of lines from two places leave none out, even if one place returns fewer than asked for", async () => {
  lines.take([1, 3, 4, 7, 8].map((seq) => ({ type: "keepLine", sessionId: "s", ...line(seq) })));
  const log = lines.log(OLDER);
  const all = Array.from({ length: 8 }, (_, index) => line(index + 1));
  const forwards = [];
  for (let page = await log.after("s", 0, 3); page.length > 0; ) {
    forwards.push(...page);
    page = await log.after("s", page.at(-1)?.seq ?? 0, 3);
  }
  expect(forwards).toEqual(all);
  const backwards = [];
  for (let page = await log.before("s", 100, 3); page.length > 0; ) {
    backwards.unshift(...page);
    page = await log.before("s", page[0]?.seq ?? 0, 3);
  }
  expect(backwards).toEqual(all);
});
