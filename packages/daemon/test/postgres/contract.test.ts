import { mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import {
  Disposition,
  EventSchema,
  PromptState,
  QuestionSchema,
  RuleScope,
  SessionStatus,
} from "@agentwire/api";
import { silentLog } from "@agentwire/protocol/support";
import { create, fromBinary, toBinary } from "@bufbuild/protobuf";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { PLACE_FOR_STORES } from "../../../../test/place-for-stores.ts";
import { AuditCheck } from "../../src/store/audit-hash.ts";
import { auditWith } from "../../src/store/audit-log.ts";
import { openPostgresStore } from "../../src/store/postgres/postgres-store.ts";
import { wordsOf } from "../../src/store/search-index.ts";
import type { SessionQuery } from "../../src/store/session-query.ts";
import { openSqliteStore } from "../../src/store/sqlite/sqlite-store.ts";
import { PAGE_BYTES, type Store } from "../../src/store/store.ts";
import type { Write } from "../../src/store/write.ts";
import { appendEvent, newRecord } from "../store/place.ts";
import { newDatabase, testNode } from "./database.ts";

const ENGINES: Readonly<Record<string, (folder: string) => Promise<Store>>> = {
  SQLite: (folder) => openSqliteStore(join(folder, "store.db"), silentLog),
  PostgreSQL: async (folder) =>
    openPostgresStore({ url: await newDatabase(), folder }, testNode("one"), silentLog),
};

const ALL: SessionQuery = {
  statuses: [],
  cwd: "",
  search: "",
  includeDeleted: false,
  archived: false,
  byAttention: false,
  promptedBy: "",
  pageSize: 0,
  pageToken: "",
};
const ZERO_USE = { inputTokens: 1, outputTokens: 2, cacheCreationInputTokens: 3, cacheReadInputTokens: 4 };
const LINE = JSON.stringify({ text: "grüße 👋 \0" });
/** Text that is hard to store: a zero byte, half a surrogate pair, quotes, and pattern characters. */
const ODD = `a\0b \ud800 '"\\%_ 👋`;

const event = (seq: number, size = 4) => ({ seq, body: new Uint8Array(size).fill(seq) });
const seqs = (events: readonly { readonly seq: number }[]) => events.map(({ seq }) => seq);
const accept = (
  sessionId: string,
  promptId: string,
  seq: number,
  content: unknown,
  key: string | null = null,
) =>
  ({
    type: "acceptPrompt",
    prompt: { promptId, sessionId, key, json: JSON.stringify(content), client: "me", seq },
  }) satisfies Write;
const audit = auditWith(String, () => 1);
const note = (detail: string, kind = "login") =>
  audit({ kind, actor: "me", action: "allowed", subject: "s", detail });

describe.each(Object.entries(ENGINES))("a store in %s", (_, open) => {
  let folder: string;
  let store: Store;
  beforeAll(async () => {
    folder = mkdtempSync(join(PLACE_FOR_STORES, "agentwire-contract-"));
    store = await open(folder);
  });
  afterAll(async () => {
    await store.close();
    await expect(store.write([appendEvent("late", event(1))])).rejects.toMatchObject({ code: "closed" });
    rmSync(folder, { recursive: true });
  });

  test("finds sessions by id, key and worktree, and changes them", async () => {
    const record = newRecord({ id: "found", title: ODD, idempotencyKey: "key", createdMs: 2 ** 41 });
    await store.write([{ type: "addSession", record }]);
    const [found, byKey] = [await store.sessions.find("found"), await store.sessions.findByKey("key")];
    expect(found).toMatchObject({ id: "found", cwd: "/", createdMs: 2 ** 41, deletedMs: null });
    expect(found?.title).toContain("'\"\\%_ 👋");
    expect(byKey).toEqual(found);
    await expect(
      store.write([{ type: "addSession", record: newRecord({ id: "again", idempotencyKey: "key" }) }]),
    ).rejects.toMatchObject({ code: "failed" });
    const worktree = JSON.stringify({ state: "open" });
    const changes = { worktree, cwd: "/tree", status: SessionStatus.FAILED, deletedMs: 5 };
    await store.write([{ type: "changeSession", id: "found", changes }]);
    expect(await store.sessions.find("found")).toMatchObject(changes);
    expect(await store.sessions.findByWorktree("/tree")).toBeUndefined();
    await store.write([{ type: "changeSession", id: "found", changes: { deletedMs: null } }]);
    expect((await store.sessions.findByWorktree("/tree"))?.id).toBe("found");
    expect(await store.sessions.find("again")).toBeUndefined();
    expect(await store.sessions.load("again")).toBeUndefined();
  });

  test("lists sessions in pages, by time or by attention, and searches case-insensitively", async () => {
    const cwd = "/listed";
    const at = (i: number, changes = {}) =>
      newRecord({ id: `list-${i}`, cwd, updatedMs: 100 - i, ...changes });
    const records = [
      at(0, { title: "Grüße 50%_of it" }),
      at(1, { status: SessionStatus.FAILED }),
      at(2, { status: SessionStatus.ASKING }),
      at(3, { turnFailure: "no" }),
      at(4, { status: SessionStatus.RUNNING, updatedMs: 97 }),
      at(5, { deletedMs: 1 }),
      at(6, { archivedMs: 1 }),
    ];
    await store.write(records.map((record): Write => ({ type: "addSession", record })));
    const list = async (query: Partial<SessionQuery>) => {
      const ids: string[] = [];
      for (let pageToken = "", more = true; more; more = pageToken !== "") {
        const page = await store.sessions.list({ ...ALL, cwd, pageSize: 2, ...query, pageToken });
        ids.push(...page.sessions.map(({ id }) => id.slice(5)));
        pageToken = page.nextPageToken;
      }
      return ids.join("");
    };
    expect(await list({})).toBe("01234");
    expect(await list({ byAttention: true })).toBe("21340");
    expect(await list({ includeDeleted: true })).toBe("012345");
    expect(await list({ statuses: [SessionStatus.FAILED, SessionStatus.ASKING] })).toBe("12");
    expect(await list({ search: "50%_OF it" })).toBe("0");
    expect(await list({ search: "50x" })).toBe("");
    expect(await list({ archived: true })).toBe("6");
    await store.write([accept("list-3", "by-me", 1, "a"), accept("list-6", "by-me-too", 1, "b")]);
    expect(await list({ promptedBy: "m" })).toBe("3");
    expect(await list({ promptedBy: "%" })).toBe("");
    await store.write([{ type: "changeSession", id: "list-3", changes: { pinnedMs: 1 } }]);
    expect(await list({ byAttention: true })).toBe("32140");
    expect(await store.sessions.count()).toBeGreaterThanOrEqual(5);
    expect(await store.sessions.deletedBefore(2)).toEqual(["list-5"]);
    expect(await store.sessions.idsAfter("list-1", 2)).toEqual(["list-2", "list-3"]);
    expect(await store.sessions.unfinished()).toEqual(expect.arrayContaining(["list-2", "list-4"]));
    expect(await store.sessions.unfinished()).not.toContain("list-0");
  });

  test("finds events by prefixes of words, and only those still stored", async () => {
    const found = async (query: string, changes = {}) => {
      const words = wordsOf(query);
      const places = await store.search.find({ words, sessionId: "", before: 0, limit: 10, ...changes });
      return places.map(({ sessionId, seq }) => `${sessionId}${seq}`);
    };
    const index = (sessionId: string, upTo: number, texts: Readonly<Record<number, string>>): Write => ({
      type: "indexTexts",
      sessionId,
      upTo,
      texts: Object.entries(texts).map(([seq, text]) => ({ seq: Number(seq), words: wordsOf(text) })),
    });
    await store.write([
      ...["w", "x"].map((id): Write => ({ type: "addSession", record: newRecord({ id, updatedMs: 1 }) })),
      ...[1, 2, 3].flatMap((seq) => [appendEvent("w", event(seq)), appendEvent("x", event(seq))]),
    ]);
    expect(await store.search.behind(1000)).toEqual(expect.arrayContaining(["w", "x"]));
    await store.write([
      index("w", 3, {
        1: "Grüße an den Parser's O'Hare",
        2: "parse_config(x86) 'or' &|!:* \\ \"q\"",
        7: "parser of nothing",
      }),
      index("x", 2, { 2: "The PARSER again 数据库 and parsers" }),
    ]);
    expect(await store.search.behind(1000)).not.toContain("w");
    expect([await store.search.indexedTo("w"), await store.search.indexedTo("none")]).toEqual([3, 0]);
    expect(await found("pars")).toEqual(["x2", "w2", "w1"]);
    expect(await found("parser gruse")).toEqual([]);
    expect(await found("GRUße parser")).toEqual(["w1"]);
    expect(await found("grüß")).toEqual(["w1"]);
    expect(await found("X86 or")).toEqual(["w2"]);
    expect(await found("数据")).toEqual(["x2"]);
    expect(await found("pars", { sessionId: "w" })).toEqual(["w2", "w1"]);
    const [first] = await store.search.find({ words: ["pars"], sessionId: "", before: 0, limit: 1 });
    expect(await found("pars", { before: first?.place })).toEqual(["w2", "w1"]);
    await store.write([{ type: "prune", sessionId: "w", upTo: 1 }]);
    expect(await found("pars")).toEqual(["x2", "w2"]);
    // An event pruned while its words were being indexed is not found.
    await store.write([index("w", 3, { 1: "parser" })]);
    expect(await found("pars")).toEqual(["x2", "w2"]);
    await store.write([{ type: "changeSession", id: "w", changes: { deletedMs: 1 } }]);
    expect(await found("pars")).toEqual(["x2"]);
    await store.write([{ type: "clearSession", sessionId: "w" }]);
    expect(await store.search.indexedTo("w")).toBe(0);
  });

  test("stores events in order, drops deltas, and reads pages of events", async () => {
    await store.write([
      ...[1, 2].map((seq): Write => ({ type: "appendEvent", sessionId: "e", ...event(seq), deltaOf: "r" })),
      appendEvent("e", event(3, 5000)),
      appendEvent("e", event(4)),
      { type: "dropDeltas", sessionId: "e", from: 1, before: 3, deltaOf: "other" },
      { type: "dropDeltas", sessionId: "e", from: 2, before: 3, deltaOf: "r" },
    ]);
    expect(seqs(await store.events.after("e", 0, 10))).toEqual([1, 3, 4]);
    const [fourth] = await store.events.after("e", 3, 10);
    expect(Buffer.from(fourth?.body ?? []).equals(Buffer.alloc(4, 4))).toBe(true);
    expect(seqs(await store.events.before("e", 4, 1))).toEqual([3]);
    expect(seqs(await store.events.after("e", 0, 10, 100))).toEqual([1]);
    expect(seqs(await store.events.after("e", 1, 10, 100))).toEqual([3]);
    expect(seqs(await store.events.after("e", 0, 10, 1 << 20))).toEqual([1, 3, 4]);
    expect(seqs(await store.events.before("e", 9, 10, 100))).toEqual([4]);
    expect(seqs(await store.events.before("e", 4, 10, 100))).toEqual([3]);
    expect(seqs(await store.events.before("e", 9, 10, 1 << 20))).toEqual([1, 3, 4]);
    expect(await store.events.bounds("e")).toEqual({ first: 1, last: 4 });
    expect(await store.events.bounds("none")).toEqual({ first: 0, last: 0 });
    expect([await store.events.numberOf("e", 2), await store.events.numberOf("e", 9)]).toEqual([
      3,
      undefined,
    ]);
  });

  test("rejects a batch atomically, and then later writes of its chain", async () => {
    const told = await Promise.allSettled([
      store.keep([appendEvent("c", event(1))], "chain"),
      store.keep([appendEvent("c", event(9)), appendEvent("c", event(1))], "chain"),
      store.keep([appendEvent("c", event(2))], "chain"),
      store.write([appendEvent("c", event(3))]),
    ]);
    expect(told.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "rejected", "fulfilled"]);
    await expect(store.keep([appendEvent("c", event(4))], "chain")).rejects.toMatchObject({ code: "failed" });
    expect(seqs(await store.events.after("c", 0, 10))).toEqual([1, 3]);
    expect(store.illness).toBeUndefined();
  });

  test("writes values as they were when the write was requested", async () => {
    const question = create(QuestionSchema, {
      id: "mutable",
      sessionId: "q",
      seq: 1n,
      disposition: Disposition.OPEN,
      reason: "before",
    });
    const written = store.write([{ type: "addQuestion", question, requestId: "r" }]);
    question.reason = "after";
    await written;
    expect((await store.questions.find("mutable"))?.reason).toBe("before");
  });

  test("stores prompts under their keys, and returns their first characters", async () => {
    const blocks = [
      { type: "text", text: "one" },
      { type: "text", text: ODD },
    ];
    await store.write([
      accept("p", "p1", 1, "x".repeat(3000), "k"),
      accept("p", "p2", 2, blocks),
      accept("p", "p3", 3, "three"),
      { type: "addSession", record: newRecord({ id: "p" }) },
    ]);
    await store.write([{ type: "changePrompt", id: "p3", state: PromptState.STARTED }]);
    expect(await store.prompts.ofKey("p", "k")).toEqual({ promptId: "p1", seq: 1 });
    expect(await store.prompts.ofKey("p", "none")).toBeUndefined();
    await expect(store.write([accept("p", "p4", 4, "again", "k")])).rejects.toThrow();
    expect(await store.prompts.content("p2")).toEqual(blocks);
    await expect(store.prompts.content("none")).rejects.toMatchObject({ code: "corrupt" });
    const [long, two, none] = await store.prompts.texts(["p1", "p2", "none"]);
    expect([long?.length, none]).toEqual([1001, ""]);
    expect(two).toMatch(/^one\na/);
    expect(await store.sessions.load("p")).toMatchObject({
      lastSeq: 0,
      waiting: [{ id: "p1", bytes: 3002 }, { id: "p2" }],
      begun: ["p3"],
    });
    expect(await store.sessions.unfinished()).toContain("p");
    // Reordered prompts come before those accepted later.
    await store.write([{ type: "orderPrompts", ids: ["p2", "p1"], seq: 5 }, accept("p", "p6", 6, "six")]);
    const moved = await store.sessions.load("p");
    expect(moved?.waiting.map(({ id }) => id)).toEqual(["p2", "p1", "p6"]);
  });

  test("ends a question once, and lists questions in pages", async () => {
    const asked = (id: string, seq: bigint) =>
      create(QuestionSchema, { id, sessionId: "asked", seq, disposition: Disposition.OPEN });
    const [one, two] = [asked("q1", 1n), asked("q2", 2n)];
    await store.write([
      { type: "addSession", record: newRecord({ id: "asked" }) },
      ...[one, two].map((question): Write => ({ type: "addQuestion", question, requestId: "r" })),
    ]);
    await store.write([{ type: "changeQuestion", question: { ...one, disposition: Disposition.DENIED } }]);
    await store.write([{ type: "changeQuestion", question: { ...one, disposition: Disposition.ALLOWED } }]);
    expect((await store.questions.find("q1"))?.disposition).toBe(Disposition.DENIED);
    expect(await store.questions.find("none")).toBeUndefined();
    const page = { sessionId: "asked", includeDecided: true, after: 0, limit: 1 };
    const [first] = await store.questions.list(page);
    const [second] = await store.questions.list({ ...page, after: first?.place ?? 0 });
    expect([first?.question.id, second?.question.id]).toEqual(["q1", "q2"]);
    expect(await store.questions.list({ ...page, after: second?.place ?? 0 })).toEqual([]);
    const open = await store.questions.list({ ...page, includeDecided: false, limit: 10 });
    expect(open.map(({ question }) => question.id)).toEqual(["q2"]);
    expect((await store.sessions.load("asked"))?.openQuestions.map(({ id }) => id)).toEqual(["q2"]);
  });

  test("sums usage; a model without a price does not count as free", async () => {
    const use = (sessionId: string, day: string, model: string, costUsd?: number): Write => ({
      type: "addUsage",
      sessionId,
      day,
      model,
      amount: { ...ZERO_USE, costUsd, isIncomplete: costUsd === undefined },
    });
    const days = ["2030-01-01", "2030-01-02", "2030-01-03"] as const;
    await store.write([
      ...days.map((day) => use("u1", day, "a", 0.5)),
      use("u1", days[2], "a", 0.25),
      use("u1", days[2], "B"),
      use("u2", days[0], "B"),
      { type: "keepTotals", sessionId: "u1", json: "{}" },
      { type: "keepTotals", sessionId: "u1", json: '{"models":{}}' },
      { type: "copyTotals", from: "u1", to: "u2" },
      { type: "addSession", record: newRecord({ id: "u2" }) },
    ]);
    expect(await store.usage.costOfDay(days[2])).toBe(0.75);
    expect(await store.usage.costOfDay("2029-01-01")).toBe(0);
    const query = { by: "day", fromDay: days[0], toDay: days[2], sessionId: "", after: undefined } as const;
    const byDay = await store.usage.list({ ...query, limit: 2 });
    expect(byDay.map(([day]) => day)).toEqual([days[2], days[1]]);
    expect(byDay[0]?.[1]).toEqual({
      inputTokens: 3,
      outputTokens: 6,
      cacheCreationInputTokens: 9,
      cacheReadInputTokens: 12,
      costUsd: 0.75,
      isIncomplete: true,
    });
    expect((await store.usage.list({ ...query, after: days[1], limit: 2 })).map(([day]) => day)).toEqual([
      days[0],
    ]);
    const byModel = await store.usage.list({ ...query, by: "model", sessionId: "u1", limit: 9 });
    expect(byModel.map(([model, { costUsd }]) => [model, costUsd])).toEqual([
      ["B", undefined],
      ["a", 1.75],
    ]);
    expect((await store.usage.list({ ...query, by: "session", limit: 9 })).map(([id]) => id)).toEqual([
      "u1",
      "u2",
    ]);
    expect(await store.sessions.load("u2")).toMatchObject({
      totals: '{"models":{}}',
      usage: { inputTokens: 1, costUsd: undefined, isIncomplete: true },
    });
    await store.write([appendEvent("u1", event(7)), appendEvent("u1", event(8))]);
    expect(await store.sessions.summaries(["u2", "u1", "none"])).toMatchObject([
      { firstSeq: 0, lastSeq: 0, lastModel: "B" },
      { firstSeq: 7, lastSeq: 8, usage: { costUsd: 1.75 } },
      { firstSeq: 0, lastModel: "", usage: { inputTokens: 0, costUsd: undefined, isIncomplete: false } },
    ]);
  });

  test("stores rules, tokens and limits", async () => {
    const place = { scope: RuleScope.USER, owner: "", rule: "Bash(ls)" };
    const rule = { ...place, id: "r1", behavior: 1, createdBy: "me", createdMs: 1, isGranted: false };
    await store.write([{ type: "keepRule", rule }]);
    await store.write([
      { type: "keepRule", rule: { ...rule, id: "r2", behavior: 3, createdBy: "you", isGranted: true } },
      { type: "keepRule", rule: { ...rule, id: "r3", rule: "Read", createdMs: 2 } },
    ]);
    expect(await store.rules()).toEqual([
      { ...rule, behavior: 3, createdBy: "you", isGranted: true },
      { ...rule, id: "r3", rule: "Read", createdMs: 2 },
    ]);
    await store.write([{ type: "removeRule", ...place }]);
    expect((await store.rules()).map(({ id }) => id)).toEqual(["r3"]);

    const token = { id: "t", name: ODD, scope: 2, hash: Buffer.alloc(32, 7), createdBy: "me", createdMs: 1 };
    await store.write([
      { type: "addToken", token: { ...token, expiresMs: 9, revokedMs: null, usedMs: null } },
      { type: "changeToken", id: "t", changes: { usedMs: 3 } },
      { type: "changeToken", id: "t", changes: { revokedMs: 4 } },
    ]);
    const [stored] = await store.tokens();
    expect(stored).toMatchObject({ id: "t", scope: 2, expiresMs: 9, usedMs: 3, revokedMs: 4 });
    expect(Buffer.from(stored?.hash ?? []).equals(token.hash)).toBe(true);

    const limit = { scope: "session", owner: "s" } as const;
    await store.write([
      { type: "setBudget", ...limit, limitUsd: 1 },
      { type: "setBudget", scope: "day", owner: "2030-01-01", limitUsd: 2.5 },
      { type: "setBudget", ...limit, limitUsd: undefined },
    ]);
    expect(await store.budgets()).toEqual([{ scope: "day", owner: "2030-01-01", limitUsd: 2.5 }]);
  });

  test("numbers and chains the audit log without gaps, even if some entries are rejected", async () => {
    await Promise.allSettled([
      store.write([note("1"), note(ODD)]),
      store.write([note("refused"), appendEvent("a", event(1)), appendEvent("a", event(1))]),
      store.keep([note("3")]),
    ]);
    await store.write([note("4", "rule")]);
    const entries = await store.audit.page({ from: 0, backwards: false, kind: "", limit: 10 });
    const odd = "a\ufffdb \ufffd '\"\\%_ 👋";
    expect(entries.map(({ detail }) => detail)).toEqual(["1", odd, "3", "4"]);
    const check = new AuditCheck();
    expect(entries.map((entry) => check.follows(entry))).toEqual([true, true, true, true]);
    expect(await store.audit.lastSeq()).toBe(4);
    const latest = await store.audit.page({ from: 0, backwards: true, kind: "login", limit: 2 });
    expect(seqs(latest)).toEqual([3, 2]);
  });

  test("reads deltas as they arrived, however they are stored, and drops all of a reply at once", async () => {
    const piece = (seq: number, deltaOf?: string): Write => ({
      type: "appendEvent",
      sessionId: "d",
      ...event(seq, 3 + (seq % 5)),
      deltaOf,
    });
    const pieces = (from: number, to: number, deltaOf: string) =>
      Array.from({ length: to - from }, (_, at) => piece(from + at, deltaOf));
    await store.write([piece(1), ...pieces(2, 252, "r"), piece(252), ...pieces(253, 256, "q")]);
    await store.write(pieces(256, 300, "q"));
    const { events } = store;
    const all = await events.after("d", 0, 1000);
    expect(seqs(all)).toEqual(Array.from({ length: 299 }, (_, at) => at + 1));
    for (const { seq, body } of all)
      expect(Buffer.from(body).equals(Buffer.alloc(3 + (seq % 5), seq)), `${seq}`).toBe(true);
    expect(await events.bounds("d")).toEqual({ first: 1, last: 299 });
    for (const seq of [1, 2, 60, 150, 251, 252, 258, 299]) {
      expect(seqs(await events.after("d", seq - 1, 1))).toEqual([seq]);
      expect(seqs(await events.before("d", seq + 1, 1))).toEqual([seq]);
      expect(await events.numberOf("d", seq)).toBe(seq);
      const page = await events.after("d", seq, 7, 1 << 20);
      expect(seqs(page)).toEqual(seqs(all.filter((one) => one.seq > seq).slice(0, 7)));
      expect(seqs(await events.before("d", seq, 70))).toEqual(
        seqs(all.filter((one) => one.seq < seq).slice(-70)),
      );
    }
    expect(await events.numberOf("d", 300)).toBeUndefined();
    await store.write([
      { type: "dropDeltas", sessionId: "d", from: 2, before: 252, deltaOf: "r" },
      ...pieces(300, 310, "q"),
      piece(310),
      { type: "dropDeltas", sessionId: "d", from: 253, before: 310, deltaOf: "q" },
    ]);
    expect(seqs(await events.after("d", 0, 1000))).toEqual([1, 252, 310]);
  });

  test("limits pages of events, lines and questions to a size that clients accept", async () => {
    const half = PAGE_BYTES / 2;
    const id = "large";
    await store.write([
      { type: "addSession", record: newRecord({ id }) },
      ...[1, 2, 3, 4].flatMap((seq): Write[] => [
        appendEvent(id, event(seq, half)),
        { type: "keepLine", sessionId: id, seq, line: "x".repeat(half) },
        {
          type: "addQuestion",
          requestId: `r${seq}`,
          question: create(QuestionSchema, {
            id: `large${seq}`,
            sessionId: id,
            seq: BigInt(seq),
            disposition: Disposition.OPEN,
            inputJson: "x".repeat(half - 100),
          }),
        },
      ]),
    ]);
    for (const log of [store.events, store.lines]) {
      expect(seqs(await log.after(id, 0, 10))).toEqual([1, 2]);
      expect(seqs(await log.after(id, 2, 10))).toEqual([3, 4]);
      expect(seqs(await log.after(id, 0, 10, 1))).toEqual([1]);
      expect(seqs(await log.before(id, 9, 10))).toEqual([3, 4]);
      expect(seqs(await log.before(id, 9, 1))).toEqual([4]);
      expect(seqs(await log.before(id, 1, 10))).toEqual([]);
    }
    const wanted = { sessionId: id, includeDecided: false, limit: 10 };
    const [first, second, ...more] = await store.questions.list({ ...wanted, after: 0 });
    expect([first?.question.id, second?.question.id, more]).toEqual(["large1", "large2", []]);
    const rest = await store.questions.list({ ...wanted, after: second?.place ?? 0 });
    expect(rest.map(({ question }) => question.id)).toEqual(["large3", "large4"]);
  });

  test("stores lines unchanged, prunes finished prompts, and clears a deleted session", async () => {
    const id = "pruned";
    await store.write([
      { type: "addSession", record: newRecord({ id, deletedMs: 1 }) },
      ...[1, 2, 3].flatMap((seq): Write[] => [
        appendEvent(id, event(seq)),
        { type: "keepLine", sessionId: id, seq, line: LINE },
        accept(id, `${id}${seq}`, seq, "hello"),
      ]),
      { type: "changePrompt", id: `${id}1`, state: PromptState.COMPLETED },
    ]);
    expect(seqs(await store.lines.after(id, 1, 10))).toEqual([2, 3]);
    const [before] = await store.lines.before(id, 3, 1);
    expect(before).toEqual({ seq: 2, line: LINE });
    await store.write([{ type: "prune", sessionId: id, upTo: 2 }]);
    expect(await store.events.bounds(id)).toEqual({ first: 3, last: 3 });
    expect(seqs(await store.lines.sizes(id))).toEqual([3]);
    expect((await store.sessions.load(id))?.waiting.map((prompt) => prompt.id)).toEqual([`${id}2`, `${id}3`]);
    await store.write([{ type: "dropLines", sessionId: id, upTo: 3 }]);
    expect(await store.lines.sizes(id)).toEqual([]);
    await store.write([{ type: "clearSession", sessionId: id }]);
    expect(await store.sessions.find(id)).toBeUndefined();
    expect(await store.events.bounds(id)).toEqual({ first: 0, last: 0 });
  });

  test("copies a history up to the first unanswered prompt, under the copy's id", async () => {
    const body = (seq: number) =>
      toBinary(EventSchema, create(EventSchema, { sessionId: "from", seq: BigInt(seq) }));
    const events = Array.from({ length: 1200 }, (_, i) => ({ seq: i + 1, body: body(i + 1) }));
    await store.write([
      ...events.map((one) => appendEvent("from", one)),
      accept("from", "open", 1100, "wait"),
    ]);
    await store.copyHistory("from", "to");
    expect(await store.events.bounds("to")).toEqual({ first: 1, last: 1099 });
    const [last] = await store.events.before("to", 1100, 1);
    expect(last && fromBinary(EventSchema, last.body)).toMatchObject({ sessionId: "to", seq: 1099n });
    await store.copyHistory("from", "part", 700);
    expect(await store.events.bounds("part")).toEqual({ first: 1, last: 699 });
  });
});
