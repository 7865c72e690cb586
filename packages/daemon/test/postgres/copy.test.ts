import { mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { silentLog } from "@agentwire/protocol/support";
import { expect, onTestFinished, test } from "vitest";
import { PLACE_FOR_STORES } from "../../../../test/place-for-stores.ts";
import { AuditCheck } from "../../src/store/audit-hash.ts";
import { copyStore } from "../../src/store/postgres/copy-store.ts";
import { examineServer } from "../../src/store/postgres/examine-server.ts";
import { openPostgresStore } from "../../src/store/postgres/postgres-store.ts";
import { openSqliteStore } from "../../src/store/sqlite/sqlite-store.ts";
import type { Write } from "../../src/store/write.ts";
import { appendEvent, newRecord } from "../store/place.ts";
import { newDatabase, run, testNode } from "./database.ts";

const note = { kind: "rule", actor: "a", action: "kept", subject: "s", detail: "" };
const entry = (timeMs: number): Write => ({ type: "audit", timeMs, note });

test("a store file is copied unchanged into an empty database, once, and continues there", async () => {
  const folder = mkdtempSync(join(PLACE_FOR_STORES, "agentwire-copy-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const file = await openSqliteStore(join(folder, "agentwire.db"), silentLog);
  const session = (id: string, cwd: string): Write => ({
    type: "addSession",
    record: newRecord({ id, cwd }),
  });
  await file.write([
    ...[session("s", "/shared/a"), session("t", "/home")],
    ...Array.from({ length: 450 }, (_, at) =>
      appendEvent("s", { seq: at + 1, body: Buffer.of(at % 256, 0) }),
    ),
    { type: "keepLine", sessionId: "s", seq: 1, line: '{"a":"\\u0000"}' },
    {
      type: "acceptPrompt",
      prompt: { promptId: "p", sessionId: "s", key: "k", json: '"hello"', client: "c", seq: 2 },
    },
    { type: "setBudget", scope: "session", owner: "s", limitUsd: 1.5 },
    ...[entry(1), entry(2)],
  ]);
  const events = await file.events.after("s", 0, 1000);
  const records = [await file.sessions.find("s"), await file.sessions.find("t")];
  const url = await newDatabase();
  await expect(copyStore(folder, url, testNode("one"))).rejects.toMatchObject({ code: "busy" });
  await file.close();
  const { copied } = await copyStore(folder, url, testNode("one"));
  expect(copied).toMatchObject({ sessions: 2, events: 450, raw_lines: 1, prompts: 1, audit: 2, budgets: 1 });
  await expect(copyStore(folder, url, testNode("one"))).rejects.toMatchObject({
    code: "foreign",
    message: expect.stringContaining("give a database that is empty"),
  });
  const store = await openPostgresStore({ url, folder }, testNode("one"), silentLog);
  onTestFinished(() => store.close());
  const bytes = (stored: typeof events) =>
    stored.map(({ seq, body }) => `${seq} ${Buffer.from(body).toString("hex")}`);
  expect(bytes(await store.events.after("s", 0, 1000))).toEqual(bytes(events));
  expect([await store.sessions.find("s"), await store.sessions.find("t")]).toEqual(records);
  expect(await store.lines.after("s", 0, 10)).toEqual([{ seq: 1, line: '{"a":"\\u0000"}' }]);
  expect(await run(url, "SELECT FROM raw_lines")).toEqual([]);
  expect(await store.prompts.texts(["p"])).toEqual(["hello"]);
  expect((await store.sessions.load("s"))?.waiting).toHaveLength(1);
  expect(await store.budgets()).toEqual([{ scope: "session", owner: "s", limitUsd: 1.5 }]);
  expect(await run(url, "SELECT id, owner, workspace FROM sessions ORDER BY id")).toEqual([
    { id: "s", owner: "one", workspace: "shared" },
    { id: "t", owner: "one", workspace: "pinned" },
  ]);
  await store.write([entry(3), appendEvent("s", { seq: 451, body: Buffer.of(1) })]);
  const check = new AuditCheck();
  const log = await store.audit.page({ from: 0, backwards: false, kind: "", limit: 10 });
  expect(log.map((one) => check.follows(one))).toEqual([true, true, true]);
  const facts = await examineServer(url);
  expect(facts).toMatchObject({ mayCreate: true, isStandby: false, standbys: 0, synchronousCommit: "on" });
  expect(facts.version).toBeGreaterThanOrEqual(150_000);
  expect(Math.abs(facts.aheadMs)).toBeLessThan(60_000);
});
