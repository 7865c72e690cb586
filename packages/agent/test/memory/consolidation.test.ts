import { describe, expect, test } from "vitest";
import { LongTermMemory } from "../../src/memory/long-term-memory.ts";
import { memoryStatistics } from "../../src/memory/statistics.ts";
import { AFTER, endTurn, HALF, PLENTY, ready, start } from "./consolidation-rig.ts";
import { calls, finish, newDatabase, put, say, write } from "./rig.ts";

describe("a consolidation", () => {
  test("creates, changes and archives entries, and reports it", async () => {
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

  test("starts when all sessions together have enough new material, and again after the same amount", async () => {
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

  test("never starts if it is disabled or the budget is exceeded", async () => {
    const { db, host } = await ready();
    expect(await endTurn(new LongTermMemory(db, 0), host)).toEqual([]);
    expect(await endTurn(new LongTermMemory(db, AFTER), { ...host, mayContinue: () => false })).toEqual([]);
    expect(host.asked).toEqual([]);
  });

  test("receives what was said and done, but nothing that the program generated", async () => {
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

  test("includes what compaction has removed from the conversation", async () => {
    const { db, endTurn, host } = await ready();
    db.statement("UPDATE lines SET is_past = 1").run();
    await endTurn();
    expect(JSON.stringify(host.asked[0]?.messages)).toContain("green tea");
  });

  test("splits material beyond its limit into parts, and reads each once", async () => {
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

  test("records from which session an entry comes", async () => {
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

  test("shows an entry to the model before the model can replace it", async () => {
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

  test("reports errors in the model's calls to the model, and continues", async () => {
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
      { is_error: true, content: expect.stringContaining("No such tool available: Bash") },
      { is_error: true, content: "There is no entry none." },
      { is_error: true, content: expect.stringContaining("not a JSON object") },
      { content: "a is created." },
    ]);
    expect(entries.titles()).toHaveLength(1);
  });

  test("ends when the model replies without a call", async () => {
    const { endTurn } = await ready({ text: "Nothing worth keeping." });
    expect(await endTurn()).toMatchObject([{ entries_created: 0, summary: "Nothing worth keeping." }]);
  });

  test("continues after a truncated reply", async () => {
    const { endTurn, host } = await ready({ text: "Let me", stop_reason: "max_tokens" }, calls(finish("ok")));
    expect(await endTurn()).toMatchObject([{ summary: "ok" }]);
    expect(host.asked).toHaveLength(2);
  });

  test("ends after a limited number of steps, the last of which can only finish", async () => {
    const { endTurn, host, db } = await ready({ ...calls(["MemoryRead", { slug: "" }]), repeat: 1_000 });
    expect(await endTurn()).toMatchObject([{ subtype: "consolidation" }]);
    expect(host.asked).toHaveLength(24);
    expect(host.asked.at(-1)?.tools.map(({ name }) => name)).toEqual(["MemoryFinish"]);
    expect(memoryStatistics(db).waiting).toEqual([]);
  });
});

test("a turn that ends during a consolidation starts no second one, but its material is read in the next one", async () => {
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
