import { copyFile, mkdir, readFile, symlink, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { DatabaseSync } from "@photostructure/sqlite";
import { describe, expect, onTestFinished, test } from "vitest";
import { openDatabase } from "../../src/store/sqlite/database.ts";
import { MIGRATIONS } from "../../src/store/sqlite/migrations.ts";
import { playing } from "../model-source.ts";
import { newPlace } from "../place.ts";
import { close, databaseOf, of, results, said, startMiriad, user } from "./miriad-agent.ts";

/** Starts the agent with a database that it can't use; returns its complaint. */
async function complaintAbout(make: (path: string) => Promise<unknown>): Promise<string> {
  const place = await newPlace();
  const path = databaseOf(place);
  await mkdir(dirname(path), { recursive: true });
  await make(path);
  const agent = startMiriad(place);
  expect(await agent.ended()).toEqual({ code: 1, signal: null });
  expect(agent.lines).toEqual([]);
  return agent.complaints();
}

describe("a file that can't be the database", { timeout: 30_000 }, () => {
  test.each<[string, (path: string) => Promise<unknown>, string]>([
    [
      "text",
      (path) => writeFile(path, "a shopping list, long enough to have a header".repeat(9)),
      "not a database",
    ],
    ["a folder", (path) => mkdir(path), "folder"],
    [
      "another program's",
      async (path) => {
        const other = new DatabaseSync(path);
        other.exec("CREATE TABLE t (a)");
        other.close();
      },
      "another program",
    ],
    [
      "one from the future",
      async (path) => {
        (await openDatabase(path)).close();
        const newer = new DatabaseSync(path);
        newer.exec(`PRAGMA user_version = ${MIGRATIONS.length + 1}`);
        newer.close();
      },
      "newer",
    ],
  ])("%s is refused with advice", async (_name, make, words) => {
    const complaint = await complaintAbout(make);
    expect(complaint).toContain(words);
    expect(complaint).toMatch(/choose another|use that|name a file/);
  });

  test("is refused if not even root can write to it", async () => {
    const complaint = await complaintAbout((path) => symlink("/sys/agentwire.db", path));
    expect(complaint).toContain("permission");
  });
});

describe("two processes", { timeout: 30_000 }, () => {
  test("can't use the same database, and the second names the first", async () => {
    const place = await newPlace();
    const first = startMiriad(place, { args: await playing(place, { steps: [{ text: "Hello." }] }) });
    first.send(user("hello"));
    await results(first, 1);
    const second = startMiriad(place);
    expect(await second.ended()).toEqual({ code: 1, signal: null });
    expect(second.complaints()).toContain(`process ${first.child.pid} is using this database`);
    first.child.kill("SIGKILL");
    await first.ended();
    const third = startMiriad(place);
    expect(await close(third)).toBe(0);
  });
});

test("a lock file damaged by a power failure does not prevent the start", { timeout: 30_000 }, async () => {
  const place = await newPlace();
  await mkdir(dirname(databaseOf(place)), { recursive: true });
  await writeFile(`${databaseOf(place)}-lock`, Buffer.alloc(4096, 7));
  expect(await close(startMiriad(place))).toBe(0);
});

describe("a database", { timeout: 30_000 }, () => {
  test("that has become read-only refuses messages with a reason, and recovers when it is writable", async () => {
    const place = await newPlace();
    const agent = startMiriad(place, {
      args: await playing(place, { steps: [{ text: "One." }, { text: "Two." }] }),
    });
    agent.send(user("one"));
    await results(agent, 1);
    const other = new DatabaseSync(databaseOf(place));
    other.exec("BEGIN IMMEDIATE");
    agent.send(user("two"));
    expect(await agent.line(of("error"))).toMatchObject({
      message: expect.stringMatching(/not accepted.*another program is writing/),
    });
    other.exec("ROLLBACK");
    other.close();
    agent.send(user("two"));
    await results(agent, 2);
    expect(said(agent)).toEqual(["assistant", "success", "error", "assistant", "success"]);
    expect(await close(agent)).toBe(0);
  });

  test("is a single file after the program has ended", async () => {
    const place = await newPlace();
    const agent = startMiriad(place, { args: await playing(place, { steps: [{ text: "One." }] }) });
    agent.send(user("hello"));
    expect(await close(agent)).toBe(0);
    const copy = join(place.cwd, "copy.db");
    await copyFile(databaseOf(place), copy);
    const read = new DatabaseSync(copy, { readOnly: true });
    onTestFinished(() => read.close());
    expect(read.prepare("SELECT count(*) AS n FROM lines").get()).toEqual({ n: 2 });
    expect(read.prepare("PRAGMA integrity_check").get()).toEqual({ integrity_check: "ok" });
    expect((await readFile(copy)).subarray(0, 15).toString()).toBe("SQLite format 3");
  });
});
