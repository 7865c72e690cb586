import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { defaultConfig } from "../../src/config.ts";
import { TINY_AGENT } from "../chaos/lab.ts";
import { type Bench, openBench, type Talk } from "../e2e/daemon-bench.ts";
import { newDatabase, run } from "../postgres/database.ts";

const WAIT = { timeout: 30_000, interval: 50 };

async function node(bench: Bench, storeUrl: string, name: string, repository: string): Promise<Talk> {
  const agents = [{ ...TINY_AGENT, env: { TINY_HOME: bench.folder } }];
  const cluster = { ...defaultConfig({}, "/").cluster, name, gitFolders: [repository] };
  const folder = join(bench.folder, name);
  return bench.open({ agents, storeUrl, cluster, folder, socketPath: join(folder, "daemon.sock") });
}

test("a session in a git repository resumes on another node with the files of its last turn, reports what is missing, and leaves the repository unchanged", async () => {
  const [bench, url] = [openBench(), await newDatabase()];
  const repository = join(bench.folder, "repository");
  const cwd = join(repository, "sub");
  mkdirSync(cwd, { recursive: true });
  const git = (folder: string, ...args: readonly string[]) =>
    execFileSync("git", ["-c", "user.name=Ann", "-c", "user.email=ann@example.com", ...args], {
      cwd: folder,
      encoding: "utf8",
    }).trimEnd();
  git(repository, "init", "--quiet", "--initial-branch=main");
  writeFileSync(join(repository, ".gitignore"), "*.log\n");
  writeFileSync(join(cwd, "a.txt"), "one\n");
  git(repository, "add", "--all");
  git(repository, "commit", "--quiet", "--message=first");
  let one = await node(bench, url, "one", repository);
  const two = await node(bench, url, "two", repository);
  const sessionId = (await one.sessions.createSession({ cwd })).session?.id ?? "";
  writeFileSync(join(cwd, "new.txt"), "new\n");
  writeFileSync(join(cwd, "x.log"), "ignored\n");
  await one.turn(sessionId, "talk");
  const kept = async () => Number((await run(url, "SELECT count(*) AS n FROM snapshots"))[0]?.n);
  await vi.waitFor(async () => expect(await kept()).toBe(1), WAIT);
  expect(git(repository, "rev-parse", "--verify", `refs/agentwire/${sessionId}`)).toMatch(/^[0-9a-f]{40}$/);
  writeFileSync(join(cwd, "late.txt"), "after the turn\n");
  const status = git(repository, "status", "--short");
  await one.running.stop();

  const turn = await two.turn(sessionId, "talk");
  expect(turn.cases).toContain("turnComplete");
  const placeOf = async (talk: Talk) => (await talk.sessions.getSession({ sessionId })).session?.cwd ?? "";
  const there = await placeOf(two);
  expect(there).toBe(join(bench.folder, "two", "workspaces", sessionId, "sub"));
  const names = ["a.txt", "new.txt", "late.txt", "x.log"];
  expect(names.filter((name) => existsSync(join(there, name)))).toEqual(["a.txt", "new.txt"]);
  expect(git(there, "log", "--format=%s")).toBe("first");
  const { events } = await two.sessions.listEvents({ sessionId, pageSize: 1000 });
  const notes = events.flatMap(({ body }) => (body.case === "error" ? [body.value] : []));
  expect(notes).toMatchObject([{ code: "workspace_moved", fatal: false }]);
  expect(notes[0]?.message).toMatch(/continues on node two in .*Later changes.*repository\/sub$/);

  // A planned move also carries changes made since the turn.
  one = await node(bench, url, "one", repository);
  writeFileSync(join(there, "a.txt"), "two\n");
  await vi.waitFor(() => two.nodes.moveSession({ sessionId, to: "one" }), WAIT);
  expect((await two.turn(sessionId, "talk")).cases).toContain("turnComplete");
  const back = await placeOf(two);
  expect(back).toBe(join(bench.folder, "one", "workspaces", sessionId, "sub"));
  expect(readFileSync(join(back, "a.txt"), "utf8")).toBe("two\n");
  expect(git(repository, "status", "--short")).toBe(status);

  // A folder that can't be stored is reported once and stays where it is.
  const plain = join(bench.folder, "plain");
  mkdirSync(plain);
  const other = await node(bench, url, "three", plain);
  const pinned = (await other.sessions.createSession({ cwd: plain })).session?.id ?? "";
  const failures = async () => {
    const { events: all } = await other.sessions.listEvents({ sessionId: pinned, pageSize: 1000 });
    return all.flatMap(({ body }) => (body.case === "error" ? [body.value.message] : []));
  };
  await other.turn(pinned, "talk");
  await vi.waitFor(async () => expect(await failures()).toHaveLength(1), WAIT);
  await other.turn(pinned, "talk");
  await expect(other.nodes.moveSession({ sessionId: pinned, to: "two" })).rejects.toThrow(
    /WORKSPACE_REFUSED: the session's files can't be moved: .*plain is not in a git repository: run git init there first/,
  );
  expect(await failures()).toMatchObject([
    expect.stringContaining("The session's files could not be stored for other nodes"),
  ]);
  expect(bench.logged.filter((line) => line.startsWith("error"))).toEqual([]);
}, 120_000);
