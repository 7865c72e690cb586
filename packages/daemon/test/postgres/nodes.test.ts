import { silentLog } from "@agentwire/protocol/support";
import { beforeEach, expect, onTestFinished, test, vi } from "vitest";
import { AuditCheck } from "../../src/store/audit-hash.ts";
import { openPostgresStore } from "../../src/store/postgres/postgres-store.ts";
import type { Store } from "../../src/store/store.ts";
import { appendEvent, newRecord } from "../store/place.ts";
import { newDatabase, newFolder, run, testNode } from "./database.ts";

let url: string;
beforeEach(async () => {
  url = await newDatabase();
});

async function open(id = "one", at = url): Promise<Store> {
  const store = await openPostgresStore({ url: at, folder: newFolder() }, testNode(id), silentLog);
  onTestFinished(() => store.close());
  return store;
}

const event = (seq: number) => [appendEvent("s", { seq, body: Buffer.of(seq) })];
const numbers = async (store: Store) => (await store.events.after("s", 0, 100)).map(({ seq }) => seq);

test("daemons that start at once create the tables once, and all become nodes", async () => {
  const stores = await Promise.all(["a", "b", "c"].map((id) => open(id)));
  expect(await run(url, "SELECT count(*)::int AS n FROM agentwire")).toEqual([{ n: 1 }]);
  expect(await run(url, "SELECT count(*)::int AS n FROM cluster")).toEqual([{ n: 1 }]);
  const nodes = (await stores[0]?.nodes?.list()) ?? [];
  expect(nodes.map(({ name, isAlive, version }) => [name, isAlive, version])).toEqual(
    ["a", "b", "c"].map((id) => [`${id}.example`, true, "1.0.0"]),
  );
  expect(new Set(stores.map(({ nodes }) => Buffer.from(nodes?.key ?? []).toString("hex"))).size).toBe(1);
});

test("deltas stored together share a row once no node of an old version is left", async () => {
  await (await open("old")).close();
  await run(url, "UPDATE nodes SET tables = 5 WHERE id = 'old'");
  const pieces = (from: number) =>
    Array.from({ length: 20 }, (_, at) => ({
      ...appendEvent("s", { seq: from + at, body: Buffer.of(at) }),
      deltaOf: "r",
    }));
  const store = await open("one");
  await store.write(pieces(1));
  const rows = async () => (await run(url, "SELECT count(*)::int AS n FROM events"))[0]?.n;
  expect(await rows()).toBe(20);
  await (await open("old")).close();
  const other = await open("two");
  await other.write(pieces(21));
  expect(await rows()).toBe(21);
  await vi.waitFor(async () => {
    await run(url, "DELETE FROM events WHERE seq > 40");
    await store.write(pieces(41));
    expect(await rows()).toBe(22);
  }, 10_000);
  expect(await numbers(store)).toEqual(Array.from({ length: 60 }, (_, at) => at + 1));
});

test("a newer daemon's database, an unreachable server and a missing database are told apart", async () => {
  await (await open()).close();
  await run(url, "UPDATE agentwire SET version = 99");
  await expect(open()).rejects.toMatchObject({ code: "foreign", message: expect.stringContaining("newer") });
  await expect(open("one", "postgres://x:secret@127.0.0.1:1/none")).rejects.toMatchObject({
    code: "unreachable",
    message: expect.not.stringContaining("secret"),
  });
  const missing = url.replace(/\/test_\w+\?/, "/missing?");
  await expect(open("one", missing)).rejects.toMatchObject({ code: "read_only" });
});

/** Makes a node look as if it had hung for longer than its lease. */
const hang = (id: string) => run(url, `UPDATE nodes SET expires = now() - interval '1 s' WHERE id = '${id}'`);

test("a hung node is taken over once: its shared sessions continue elsewhere, and its later writes are rejected", async () => {
  const first = await open();
  const session = (id: string, cwd: string) =>
    ({ type: "addSession", record: newRecord({ id, cwd }) }) as const;
  await first.write([session("s", "/shared/a"), session("p", "/home"), ...event(1)]);
  const others = [await open("two"), await open("three")];
  const taken: string[] = [];
  for (const { nodes } of others) if (nodes) nodes.onTaken = (ids) => void taken.push(...ids);
  let lost = 0;
  let back = 0;
  const { nodes } = first;
  if (!nodes) throw new Error("a node of a cluster has others");
  const stopped = new Promise<void>((resolve) => {
    nodes.onLost = async () => {
      lost++;
      resolve();
    };
    nodes.onBack = () => back++;
  });
  await hang("one");
  await vi.waitFor(() => expect(taken).toEqual(["s"]), 10_000);
  const told = await Promise.allSettled([first.keep(event(2), "chain"), first.write(event(3))]);
  expect(told).toMatchObject([
    { status: "rejected", reason: { code: "fenced" } },
    { status: "rejected", reason: { code: "fenced" } },
  ]);
  const owners = await run(url, "SELECT id, owner FROM sessions ORDER BY id");
  expect(owners).toMatchObject([{ id: "p", owner: "one" }, { id: "s" }]);
  const [heir] = others.filter(({ nodes }) => nodes?.id === owners[1]?.owner);
  expect((await heir?.sessions.load("s"))?.lastSeq).toBe(1);
  expect(await first.sessions.load("s")).toBeUndefined();
  expect(await heir?.sessions.load("p")).toBeUndefined();
  expect(await heir?.sessions.find("p")).toMatchObject({ cwd: "/home" });
  await heir?.write(event(2));
  // At its next heartbeat the node notices, ends what is running, and returns with the sessions it still owns.
  await stopped;
  await vi.waitFor(() => expect(back).toBe(1), 10_000);
  expect(lost).toBe(1);
  await first.write([appendEvent("p", { seq: 1, body: Buffer.of(1) })]);
  expect((await first.sessions.load("p"))?.lastSeq).toBe(1);
  expect(await numbers(first)).toEqual([1, 2]);
}, 60_000);

test("a node whose connection is cut keeps its sessions while it lives, and gives one away on request", async () => {
  const [one, two] = [await open("one"), await open("two")];
  const taken: string[] = [];
  if (two.nodes) two.nodes.onTaken = (ids) => void taken.push(...ids);
  await one.write([{ type: "addSession", record: newRecord({ id: "s" }) }]);
  await run(
    url,
    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()",
  );
  await vi.waitFor(() => one.write(event(1)), 10_000);
  expect(await two.nodes?.giveAway("s", "one")).toBe(false);
  expect(await one.nodes?.giveAway("s", "nobody")).toBe(false);
  expect(await two.nodes?.seize("s")).toBe(false);
  expect(await one.nodes?.giveAway("s", "two")).toBe(true);
  expect(await one.nodes?.ownership("s")).toEqual({ owner: "two", isShared: false });
  expect((await two.sessions.load("s"))?.lastSeq).toBe(1);
  expect(taken).toEqual([]);
}, 60_000);

test("changes of rules, tokens and limits on one node reach the others, and each node has its own audit chain", async () => {
  const [one, two] = [await open("one"), await open("two")];
  const told = vi.fn();
  const toldSelf = vi.fn();
  if (one.nodes && two.nodes) {
    two.nodes.onBook = told;
    one.nodes.onBook = toldSelf;
  }
  const note = { kind: "rule", actor: "a", action: "kept", subject: "s", detail: "" };
  const entry = (timeMs: number) => ({ type: "audit", timeMs, note }) as const;
  await one.write([{ type: "setBudget", scope: "day", owner: "2026-11-16", limitUsd: 1 }, entry(1)]);
  await two.write([entry(2)]);
  await one.write([entry(3)]);
  await vi.waitFor(() => expect(told).toHaveBeenCalledWith("budgets"), 10_000);
  expect(toldSelf).not.toHaveBeenCalled();
  const entries = await two.audit.page({ from: 0, backwards: false, kind: "", limit: 10 });
  expect(entries.map(({ node, seq, position }) => [node, seq, position])).toEqual([
    ["one", 1, 1],
    ["two", 1, 2],
    ["one", 2, 3],
  ]);
  for (const id of ["one", "two"]) {
    const check = new AuditCheck();
    expect(entries.filter(({ node }) => node === id).every((one) => check.follows(one))).toBe(true);
  }
});

test("a restarted daemon fences off its former process, which can no longer write", async () => {
  const before = await open();
  const after = await open();
  await after.write(event(1));
  await expect(before.write(event(2))).rejects.toMatchObject({ code: "fenced" });
  expect(before.failure).toMatchObject({ code: "fenced" });
});
