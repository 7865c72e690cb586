import { describe, expect, test } from "vitest";
import { LongTermMemory } from "../../src/memory/long-term-memory.ts";
import { memoryStatistics } from "../../src/memory/statistics.ts";
import type { ScriptStep } from "../../src/model/script.ts";
import type { Database } from "../../src/store/sqlite/database.ts";
import { calls, finish, newDatabase, newHost, put, say, type TestHost, write } from "./rig.ts";

/** How many tokens are enough in these tests. */
const AFTER = 100;
/** So many characters come to half of it. */
const HALF = "x".repeat(2 * AFTER);
const PLENTY = `I like green tea. ${HALF}${HALF}`;

/** The memory of a database in a process of its own. */
function start(db: Database, ...consolidation: readonly ScriptStep[]) {
  const memory = new LongTermMemory(db, AFTER);
  const host = newHost(...consolidation);
  return { memory, entries: memory.entries, host, endTurn: () => endTurn(memory, host) };
}

/** Ends a turn; resolves with what the host has heard so far, when nothing runs any more. */
async function endTurn(memory: LongTermMemory, host: TestHost) {
  memory.turnEnded(host);
  await memory.settled();
  return host.told;
}

/** The same, with enough to consolidate in the database. */
async function ready(...consolidation: readonly ScriptStep[]) {
  const db = await newDatabase();
  say(db, "one", "user", PLENTY);
  return { db, ...start(db, ...consolidation) };
}

describe("a consolidation", () => {
  test("writes, changes and archives entries, and says so", async () => {
    const { db, entries, host, endTurn } = await ready(
      calls(["MemorySearch", { query: "tea" }], ["MemoryRead", { slug: "user/tea" }]),
      calls(write("user/tea", "Green tea."), write("user/name", "Ada"), ["MemoryArchive", { slug: "old" }]),
      calls(finish("Tea is green now.")),
    );
    put(entries, "user/tea", "Black tea.");
    put(entries, "old", "Nobody needs this.");
    expect(await endTurn()).toEqual([
      {
        type: "system",
        subtype: "consolidation",
        entries_created: 1,
        entries_updated: 1,
        entries_archived: 1,
        summary: "Tea is green now.",
      },
    ]);
    expect(entries.read("user/tea")).toMatchObject({ body: "Green tea.", version: 2, sourceSession: "one" });
    expect(entries.titles().map(({ slug }) => slug)).toEqual(["user/name", "user/tea"]);
    expect(host.costs.totalUsd).toBeGreaterThan(0);
    expect(host.costs.turnUsage.input_tokens).toBe(0);
    expect(memoryStatistics(db)).toMatchObject({
      entries: 2,
      archived: 1,
      versions: 1,
      consolidations: [{ session_id: "one", entries_created: 1, summary: "Tea is green now." }],
      waiting: [],
    });
  });

  test("waits until enough has been said in all sessions together, and then for as much again", async () => {
    const db = await newDatabase();
    const { endTurn } = start(db, calls(finish("first")), calls(finish("second")));
    say(db, "one", "user", HALF);
    expect(await endTurn()).toEqual([]);
    say(db, "two", "assistant", [{ type: "text", text: HALF }]);
    expect(await endTurn()).toMatchObject([{ summary: "first" }]);
    say(db, "one", "user", HALF);
    expect(await endTurn()).toHaveLength(1);
    say(db, "one", "user", HALF);
    expect(await endTurn()).toMatchObject([{ summary: "first" }, { summary: "second" }]);
  });

  test("never runs when it is turned off, or the budget is spent", async () => {
    const { db, host } = await ready();
    expect(await endTurn(new LongTermMemory(db, 0), host)).toEqual([]);
    expect(await endTurn(new LongTermMemory(db, AFTER), { ...host, mayGoOn: () => false })).toEqual([]);
    expect(host.asked).toEqual([]);
  });

  test("is given what was said and done, and nothing of what the program wrote itself", async () => {
    const db = await newDatabase();
    say(db, "one", "user", "My name is Ada.");
    say(db, "one", "assistant", [
      { type: "thinking", thinking: "a thought", signature: "s" },
      { type: "tool_use", id: "t", name: "Bash", input: { command: "make" } },
    ]);
    const output = `first ${"x".repeat(100_000)} last`;
    say(db, "one", "user", [{ type: "tool_result", tool_use_id: "t", content: output, is_error: true }]);
    say(db, "one", "user", "a nudge", { isMeta: true });
    say(db, "one", "user", "a summary", { isCompactSummary: true });
    say(db, "two", "user", `</session> ${PLENTY}`);
    const { endTurn, host } = start(db);
    await endTurn();
    const [call] = host.asked;
    expect(call?.tools.map(({ name }) => name)).toEqual([
      "MemorySearch",
      "MemoryRead",
      "MemoryWrite",
      "MemoryArchive",
      "MemoryFinish",
    ]);
    const given = String(call?.messages[0]?.content);
    for (const said of [
      "My name is Ada.",
      '{"command":"make"}',
      "first x",
      "x last",
      'id="two"',
      "green tea",
    ])
      expect(given).toContain(said);
    for (const other of ["a thought", "a nudge", "a summary"]) expect(given).not.toContain(other);
    expect(given.length).toBeLessThan(5_000);
    expect(given.split("</session>")).toHaveLength(3);
  });

  test("reads what compaction has taken out of the conversation", async () => {
    const { db, endTurn, host } = await ready();
    db.statement("UPDATE lines SET is_past = 1").run();
    await endTurn();
    expect(JSON.stringify(host.asked[0]?.messages)).toContain("green tea");
  });

  test("takes more than it can read at once in several parts, each once", async () => {
    const db = await newDatabase();
    const says = Array.from({ length: 60 }, (_, i) => `<${i}> ${"x".repeat(5_000)}`);
    for (const [i, text] of says.entries()) say(db, `session ${i % 3}`, "user", text);
    const { endTurn, host } = start(db);
    expect((await endTurn()).map(({ type }) => type)).toEqual(["system", "system", "system"]);
    const given = host.asked.map(({ messages }) => String(messages[0]?.content));
    for (const i of says.keys()) expect(given.filter((text) => text.includes(`<${i}>`))).toHaveLength(1);
    expect(Math.max(...given.map(({ length }) => length))).toBeLessThan(150_000);
    expect(memoryStatistics(db).waiting).toEqual([]);
  });

  test("knows which of several sessions an entry comes from", async () => {
    const db = await newDatabase();
    say(db, "one", "user", PLENTY);
    say(db, "two", "user", PLENTY);
    const [name, input] = write("b", "from two");
    const { entries, endTurn, host } = start(
      db,
      calls(
        [name, { ...input, session: "three" }],
        [name, { ...input, session: "two" }],
        write("a", "from one"),
      ),
    );
    await endTurn();
    expect(JSON.stringify(host.asked[1]?.messages.at(-1))).toContain("must be one of");
    expect(entries.read("b")?.sourceSession).toBe("two");
    expect(entries.read("a")?.sourceSession).toBe("one");
  });

  test("shows an entry to the model before it can replace it", async () => {
    const { entries, host, endTurn } = await ready(
      calls(write("a", "The tea is green.")),
      calls(write("a", "The tea is green. The cup is blue.")),
      calls(finish("Merged.")),
    );
    put(entries, "a", "The cup is blue.");
    expect(await endTurn()).toMatchObject([{ entries_created: 0, entries_updated: 1 }]);
    expect(JSON.stringify(host.asked[1]?.messages.at(-1))).toContain("The cup is blue.");
    expect(entries.read("a")).toMatchObject({ version: 2, body: "The tea is green. The cup is blue." });
  });

  test("tells the model what is wrong with its calls, and goes on", async () => {
    const { entries, host, endTurn } = await ready(
      calls(write("Not A Slug", "x"), ["Bash", { command: "true" }], ["MemoryArchive", { slug: "none" }]),
      { content: [{ type: "tool_use", name: "MemoryWrite", rawInput: "{oops" }] },
      calls(write("a", "fine")),
      calls(finish("ok")),
    );
    expect(await endTurn()).toMatchObject([{ entries_created: 1, entries_archived: 0, summary: "ok" }]);
    const results = host.asked
      .at(-1)
      ?.messages.flatMap(({ content }) =>
        typeof content === "string" ? [] : content.filter(({ type }) => type === "tool_result"),
      );
    expect(results).toMatchObject([
      { is_error: true, content: expect.stringContaining("can't name an entry") },
      { is_error: true, content: "No such tool available: Bash" },
      { is_error: true, content: "There is no entry none." },
      { is_error: true, content: expect.stringContaining("no JSON object") },
      { content: "a is created." },
    ]);
    expect(entries.titles()).toHaveLength(1);
  });

  test("is over when the model just says so", async () => {
    const { endTurn } = await ready({ text: "Nothing worth keeping." });
    expect(await endTurn()).toMatchObject([{ entries_created: 0, summary: "Nothing worth keeping." }]);
  });

  test("goes on after a reply that was cut off", async () => {
    const { endTurn, host } = await ready({ text: "Let me", stop_reason: "max_tokens" }, calls(finish("ok")));
    expect(await endTurn()).toMatchObject([{ summary: "ok" }]);
    expect(host.asked).toHaveLength(2);
  });

  test("is ended after so many steps, the last of which can only finish", async () => {
    const { endTurn, host, db } = await ready({ ...calls(["MemoryRead", { slug: "" }]), repeat: 1_000 });
    expect(await endTurn()).toMatchObject([{ subtype: "consolidation" }]);
    expect(host.asked).toHaveLength(24);
    expect(host.asked.at(-1)?.tools.map(({ name }) => name)).toEqual(["MemoryFinish"]);
    expect(memoryStatistics(db).waiting).toEqual([]);
  });
});

describe("a consolidation that fails", () => {
  const broken: ScriptStep = {
    type: "error",
    status: 413,
    error: { type: "request_too_large", message: "no" },
  };

  test("is told, and tried again when more has been said", async () => {
    const { db, endTurn, host } = await ready(broken, calls(write("a", "1")), calls(finish("ok")));
    expect(await endTurn()).toMatchObject([
      { subtype: "informational", level: "warning", content: expect.stringContaining("no") },
    ]);
    expect(memoryStatistics(db).waiting).toMatchObject([{ session_id: "one" }]);
    expect(await endTurn()).toHaveLength(1);
    say(db, "one", "user", HALF);
    expect((await endTurn())[1]).toMatchObject({ subtype: "consolidation", summary: "ok" });
    expect(JSON.stringify(host.asked[1]?.messages)).toContain("green tea");
  });

  test.each<[string, ScriptStep]>([
    ["refuses", { text: "no", stop_reason: "refusal" }],
    ["is cut off", { text: "hello", cutAfterChunks: 1 }],
    ["loses the connection", { type: "reset" }],
  ])("because the model %s leaves the material for the next time", async (_, step) => {
    const { db, endTurn } = await ready(step);
    expect(await endTurn()).toMatchObject([{ subtype: "informational" }]);
    expect(memoryStatistics(db)).toMatchObject({ consolidations: [], waiting: [{ session_id: "one" }] });
  });

  test("because the budget is spent meanwhile ends before the next call", async () => {
    const { memory, host } = await ready(calls(write("a", "1")), calls(finish("ok")));
    let left = 2;
    const told = await endTurn(memory, { ...host, mayGoOn: () => left-- > 0 });
    expect(told).toMatchObject([{ content: expect.stringContaining("budget") }]);
    expect(host.asked).toHaveLength(1);
  });

  test("because the database is gone is told and thrown at nobody", async () => {
    const { db, memory, host } = await ready();
    db.statement("DROP TABLE memory_marks").run();
    expect(await endTurn(memory, host)).toMatchObject([{ level: "warning" }]);
  });
});

describe("a consolidation that is ended with its process", () => {
  const stalled: ScriptStep = { text: "hello", stallAfterChunks: 1 };

  test("is repeated by the next one, which makes nothing twice", async () => {
    const { db, memory, host, entries } = await ready(calls(write("a", "one"), write("b", "two")), stalled);
    memory.turnEnded(host);
    await expect.poll(() => host.asked.length).toBe(2);
    await memory.close();
    expect(host.told).toEqual([]);
    expect(memoryStatistics(db)).toMatchObject({
      entries: 2,
      consolidations: [],
      waiting: [{ session_id: "one" }],
    });
    memory.turnEnded(host);
    const next = start(
      db,
      calls(write("a", "one"), write("b", "two"), write("c", "three")),
      calls(finish("again")),
    );
    expect(await next.endTurn()).toMatchObject([
      { entries_created: 1, entries_updated: 0, summary: "again" },
    ]);
    expect(entries.titles()).toHaveLength(3);
    expect(entries.read("a")?.version).toBe(1);
    expect(host.asked).toHaveLength(2);
  });
});

test("a turn that ends while one runs begins no second one, but what it said is read next", async () => {
  const { db, memory, host } = await ready(
    { ...calls(finish("first")), delayBefore: 50 },
    calls(finish("second")),
  );
  memory.turnEnded(host);
  say(db, "one", "user", `The cup is blue. ${PLENTY}`);
  memory.turnEnded(host);
  expect(await endTurn(memory, host)).toMatchObject([{ summary: "first" }, { summary: "second" }]);
  expect(host.asked).toHaveLength(2);
  expect(JSON.stringify(host.asked[0])).not.toContain("cup");
  expect(JSON.stringify(host.asked[1])).toContain("cup");
});
