import {
  closeSync,
  mkdtempSync,
  openSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { openForReading } from "../../src/store/sqlite/database.ts";
import { eventLog } from "../../src/store/sqlite/logs.ts";
import { checkStore, copyStore } from "../../src/store/sqlite/maintenance.ts";
import { checkCode, toStoreError } from "../../src/store/sqlite/sqlite-error.ts";
import { statementsOf } from "../../src/store/sqlite/statements.ts";
import { Writer } from "../../src/store/sqlite/writer.ts";
import { appendEvent } from "./place.ts";

let folder: string;
let path: string;
let writer: Writer;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "agentwire-maintenance-"));
  path = join(folder, "store.db");
  writer = await Writer.open(path);
});
afterEach(async () => {
  await writer.close();
  rmSync(folder, { recursive: true });
});

const fill = (from: number, to: number) =>
  writer.write(
    statementsOf(
      Array.from({ length: to - from }, (_, i) =>
        appendEvent("s", { seq: from + i, body: Buffer.alloc(700, i) }),
      ),
    ),
  );

test("a copy made during writes is complete, checked and private", async () => {
  await fill(1, 500);
  const target = join(folder, "copy.db");
  const [size] = await Promise.all([copyStore(path, target), fill(500, 1000)]);
  expect(size).toBe(statSync(target).size);
  expect(statSync(target).mode & 0o777).toBe(0o600);
  const copy = openForReading(target);
  const { last } = await eventLog(copy).bounds("s");
  expect(await eventLog(copy).after("s", 0, 2000)).toHaveLength(last);
  expect(last).toBeGreaterThanOrEqual(499);
  copy.close();
  expect(readdirSync(folder).filter((name) => name.includes(".part"))).toEqual([]);
  const restored = await Writer.open(target);
  await restored.write(statementsOf([appendEvent("s", { seq: 2000, body: Buffer.of(1) })]));
  await restored.close();
});

test("a copy never replaces a file, and leaves nothing behind if it fails", async () => {
  const target = join(folder, "taken.db");
  writeFileSync(target, "mine");
  await expect(copyStore(path, target)).rejects.toMatchObject({ code: "failed" });
  expect(statSync(target).size).toBe(4);
  await expect(copyStore(path, join(folder, "no", "folder.db"))).rejects.toMatchObject({ code: "failed" });
  expect(readdirSync(folder).filter((name) => name.includes(".part"))).toEqual([]);
});

test.each([
  ["small", 500],
  ["large", 2000],
])("the check of a %s store finds damage only if there is some", async (_, events) => {
  await fill(1, events);
  expect(await checkStore(path)).toBeUndefined();
  await writer.close();
  damage(path);
  expect(await checkStore(path)).toMatchObject({
    code: "corrupt",
    message: expect.stringContaining("restore a backup"),
  });
});

/** Overwrites pages in the middle. */
function damage(file: string): void {
  const handle = openSync(file, "r+");
  writeSync(handle, Buffer.alloc(40_960, 0xff), 0, 40_960, 204_800);
  closeSync(handle);
}

test("a page that the disk failed to return does not count as damage", () => {
  const page = "*** in database main ***\nTree 5 page 12: unable to get the page. error code=";
  expect(toStoreError({ errcode: checkCode(`${page}266`) }, "/s.db").code).toBe("io");
  expect(toStoreError({ errcode: checkCode(`${page}11`) }, "/s.db").code).toBe("corrupt");
  expect(toStoreError({ errcode: checkCode("Tree 5 page 12: never used") }, "/s.db").code).toBe("corrupt");
});
