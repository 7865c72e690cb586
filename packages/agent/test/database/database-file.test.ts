import { execFile } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { copyFile, link, mkdir, readdir, readFile, rename, rm, symlink, writeFile } from "node:fs/promises";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { DatabaseSync } from "@photostructure/sqlite";
import { describe, expect, onTestFinished, test } from "vitest";
import { openDatabase } from "../../src/store/sqlite/database.ts";
import { follow, startProgram } from "../agent-process.ts";
import { playing } from "../model-source.ts";
import { newPlace } from "../place.ts";
import { close, databaseOf, of, results, said, startMiriad, user } from "./miriad-agent.ts";

/** The contents of a folder by file name, without the index of a write-ahead log, which readers modify. */
async function contentsOf(folder: string): Promise<ReadonlyMap<string, Buffer>> {
  const names = (await readdir(folder)).filter((name) => !name.endsWith("-shm"));
  return new Map(
    await Promise.all(names.map(async (name) => [name, await readFile(join(folder, name))] as const)),
  );
}

describe("a database of another program", { timeout: 30_000 }, () => {
  test.each<[string, string, boolean]>([
    ["with a rollback journal", "CREATE TABLE t (a)", false],
    ["in WAL mode", "PRAGMA journal_mode = WAL; CREATE TABLE t (a)", false],
    ["with an application id", "PRAGMA application_id = 7; PRAGMA user_version = 1", false],
    ["that is in use, all of it still in its log", "PRAGMA journal_mode = WAL; CREATE TABLE t (a)", true],
  ])("%s is left unchanged", async (_name, sql, isInUse) => {
    const path = join((await newPlace()).cwd, "o.db");
    const other = new DatabaseSync(path);
    onTestFinished(() => void (other.isOpen && other.close()));
    other.exec(sql);
    if (!isInUse) other.close();
    const before = await contentsOf(dirname(path));
    for (const readOnly of [false, true]) {
      await expect(openDatabase(path, { readOnly })).rejects.toThrow("another program; choose another file");
      expect(await contentsOf(dirname(path))).toEqual(before);
    }
  });

  test("is left unchanged in every mode of the program", async () => {
    const place = await newPlace();
    const path = join(place.cwd, "o.db");
    const other = new DatabaseSync(path);
    other.exec("CREATE TABLE t (a)");
    other.close();
    const before = await contentsOf(place.cwd);
    const modes = [
      ["--stdio"],
      ["--repl"],
      ["-p", "hello"],
      ["--inspect"],
      ["--dump", "hello"],
      ["--compact"],
    ];
    for (const mode of modes) {
      const agent = follow(startProgram(place, { args: [...mode, "--db", path] }));
      agent.child.stdin.end();
      expect(await agent.ended()).toEqual({ code: 1, signal: null });
      expect(agent.complaints()).toContain("another program; choose another file");
    }
    expect(await contentsOf(place.cwd)).toEqual(before);
  });

  test.each<[string, (path: string) => Promise<void>]>([
    ["text", (path) => writeFile(path, "a shopping list")],
    [
      "a database",
      async (path) => {
        const other = new DatabaseSync(path);
        other.exec("CREATE TABLE t (a)");
        other.close();
      },
    ],
  ])("does not become a lock: %s", async (_name, make) => {
    const place = await newPlace();
    const lock = `${databaseOf(place)}-lock`;
    await mkdir(dirname(lock), { recursive: true });
    await make(lock);
    const before = await readFile(lock);
    const agent = startMiriad(place);
    expect(await agent.ended()).toEqual({ code: 1, signal: null });
    expect(agent.complaints()).toContain("agent.db-lock is needed as a lock");
    expect(await readFile(lock)).toEqual(before);
  });
});

describe("two processes that name one database differently", { timeout: 30_000 }, () => {
  test("can't both use it", async () => {
    const place = await newPlace();
    const path = databaseOf(place);
    const first = startMiriad(place);
    first.send(user("hello"));
    await results(first, 1);
    await symlink(path, join(place.cwd, "link.db"));
    await symlink(dirname(path), join(place.cwd, "folder"));
    for (const name of [relative(place.cwd, path), "link.db", "folder/agent.db"]) {
      const second = follow(startProgram(place, { args: ["--stdio", "--db", name] }));
      expect(await second.ended()).toEqual({ code: 1, signal: null });
      expect(second.complaints()).toContain(`process ${first.child.pid} is using this database`);
    }
    expect(await close(first)).toBe(0);
    await link(path, join(place.cwd, "hard.db"));
    for (const name of [path, "hard.db"]) {
      const linked = follow(startProgram(place, { args: ["--stdio", "--db", name] }));
      expect(await linked.ended()).toEqual({ code: 1, signal: null });
      expect(linked.complaints()).toMatch(/more than one name .*keep one of them/);
    }
  });

  test("can't, even through a mount of only the file", async ({ skip }) => {
    const place = await newPlace();
    const path = databaseOf(place);
    (await openDatabase(path)).close();
    const mounted = join(place.cwd, "mounted.db");
    await writeFile(mounted, "");
    const program = fileURLToPath(new URL("../../bin/agentwire-agent", import.meta.url));
    const script = 'mount --bind "$1" "$2" || exit 99; shift 2; exec "$@"';
    const args = ["--mount", "--map-root-user", "sh", "-c", script, "sh", path, mounted];
    const ended = await promisify(execFile)(
      "unshare",
      [...args, process.execPath, program, "--stdio", "--db", mounted],
      {
        env: place.env,
      },
    ).catch((error: unknown) => error as { code: unknown; stderr: string });
    skip("code" in ended && (ended.code === 99 || ended.code === "ENOENT"), "no mounts can be made here");
    expect(ended).toMatchObject({ code: 1, stderr: expect.stringContaining("mount its folder instead") });
  });
});

describe("a database that is removed", { timeout: 30_000 }, () => {
  test.each<[string, (path: string) => Promise<void>, RegExp]>([
    ["deleted", (path) => rm(path), /agent\.db was deleted/],
    [
      "replaced by a copy",
      async (path) => {
        await copyFile(path, `${path}.copy`);
        await rename(`${path}.copy`, path);
      },
      /agent\.db was replaced/,
    ],
    ["left without its log", (path) => rm(`${path}-wal`), /agent\.db-wal was deleted/],
    ["left without its lock", (path) => rm(`${path}-lock`), /agent\.db-lock was deleted/],
  ])("%s: the next message is refused with a reason", async (_name, take, words) => {
    const place = await newPlace();
    const agent = startMiriad(place);
    agent.send(user("one"));
    await results(agent, 1);
    await take(databaseOf(place));
    agent.send(user("two"));
    const { message } = await agent.line(of("error"));
    expect(message).toMatch(/^The message was not accepted/);
    expect(message).toMatch(words);
    expect(await close(agent)).toBe(1);
    expect(said(agent)).toEqual(["assistant", "success", "error"]);
  });

  test("during a turn: the host is informed that the rest is not stored", async () => {
    const place = await newPlace();
    const call = { type: "tool_use", id: "call_1", name: "Bash", input: { command: "rm data/agent.db" } };
    const script = await playing(place, { steps: [{ content: [call] }, { text: "Gone." }] });
    const agent = startMiriad(place, { args: [...script, "--allowedTools", "Bash"] });
    agent.send(user("delete it"));
    await results(agent, 1);
    expect(agent.lines.find(of("session_writes_lost"))).toMatchObject({ error_code: "DATABASE_GONE" });
  });

  test("the user of the REPL is informed and prompted for the next line", async () => {
    const place = await newPlace();
    const repl = startProgram(place, { args: ["--repl", "--db", databaseOf(place)] });
    const ended = once(repl, "close");
    let shown = "";
    for await (const text of repl.stdout.setEncoding("utf8")) {
      shown += text;
      if (!shown.includes("> ") || !existsSync(databaseOf(place))) continue;
      await rm(databaseOf(place));
      repl.stdin.end("hello\nquit\n");
    }
    expect(shown).toContain("agent.db was deleted");
    expect(await ended).toEqual([1, null]);
  });
});
