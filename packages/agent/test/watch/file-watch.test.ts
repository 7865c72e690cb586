import { appendFile, mkdtemp, rename, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { expect, onTestFinished, test } from "vitest";
import { FileWatch } from "../../src/watch/file-watch.ts";

async function watched(...names: readonly string[]) {
  const folder = await mkdtemp(join(tmpdir(), "agentwire-watch-"));
  const told: string[] = [];
  let looks = 0;
  const watch = new FileWatch({
    paths() {
      looks++;
      return names.map((name) => join(folder, name));
    },
    onChanged: (path, event) => told.push(`${event} ${path.slice(folder.length + 1)}`),
    restMs: 10,
  });
  onTestFinished(async () => {
    watch.end();
    await rm(folder, { recursive: true, force: true });
  });
  /** Resolves when a poll that started after this call has ended. */
  const look = async () => {
    const enough = looks + 2;
    while (looks < enough) await delay(5);
  };
  return { folder, told, watch, look };
}

test("a watch reports files that are created, changed and removed, and nothing before its first poll", async () => {
  const { folder, told, watch, look } = await watched("a", "b");
  await writeFile(join(folder, "a"), "one");
  watch.begin();
  await look();
  expect(told).toEqual([]);
  await appendFile(join(folder, "a"), " two");
  await expect.poll(() => told).toEqual(["change a"]);
  await writeFile(join(folder, "b"), "");
  await expect.poll(() => told).toEqual(["change a", "add b"]);
  await rename(join(folder, "b"), join(folder, "c"));
  await expect.poll(() => told).toEqual(["change a", "add b", "unlink b"]);
});

test("a file that is being written is reported once, when it no longer changes", async () => {
  const { folder, told, watch, look } = await watched("a");
  watch.begin();
  await look();
  for (let i = 0; i < 8; i++) {
    await writeFile(join(folder, "a"), "x".repeat(i));
    await delay(50);
  }
  await expect.poll(() => told).toEqual(["add a"]);
  await look();
  expect(told).toEqual(["add a"]);
});

test("a watch that has been closed does not poll", async () => {
  const { folder, told, watch, look } = await watched("a");
  watch.begin();
  await look();
  watch.end();
  await writeFile(join(folder, "a"), "late");
  await delay(400);
  expect(told).toEqual([]);
});
