import type { ScriptStep } from "@agentwire/models/script";
import { describe, expect, test } from "vitest";
import { memoryStatistics } from "../../src/memory/statistics.ts";
import { endTurn, HALF, ready, start } from "./consolidation-rig.ts";
import { calls, finish, say, write } from "./rig.ts";

describe("a consolidation that fails", () => {
  const broken: ScriptStep = {
    type: "error",
    status: 413,
    error: { type: "request_too_large", message: "no" },
  };

  test("is reported, and repeated after more has been said", async () => {
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
  ])("because the model %s leaves the material for the next one", async (_, step) => {
    const { db, endTurn } = await ready(step);
    expect(await endTurn()).toMatchObject([{ subtype: "informational" }]);
    expect(memoryStatistics(db)).toMatchObject({ consolidations: [], waiting: [{ session_id: "one" }] });
  });

  test("because the budget was exceeded in the meantime ends before the next call", async () => {
    const { memory, host } = await ready(calls(write("a", "1")), calls(finish("ok")));
    let left = 2;
    const told = await endTurn(memory, { ...host, mayContinue: () => left-- > 0 });
    expect(told).toMatchObject([{ content: expect.stringContaining("budget") }]);
    expect(host.asked).toHaveLength(1);
  });

  test("because the database was removed is reported, not thrown", async () => {
    const { db, memory, host } = await ready();
    db.statement("DROP TABLE memory_marks").run();
    expect(await endTurn(memory, host)).toMatchObject([{ level: "warning" }]);
  });
});

describe("a consolidation that ends with its process", () => {
  const stalled: ScriptStep = { text: "hello", stallAfterChunks: 1 };

  test("is repeated by the next process without duplicate entries", async () => {
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
