import { join } from "node:path";
import type { Script, ScriptStep } from "@agentwire/models/script";
import type { JsonObject } from "@agentwire/protocol";
import { describe, expect, test } from "vitest";
import { MemoryEntries } from "../../src/memory/entries.ts";
import { memoryStatistics } from "../../src/memory/statistics.ts";
import { type AgentProcess, follow, startProgram } from "../agent-process.ts";
import { expectSoundHistory } from "../history-checks.ts";
import { newApi, playing } from "../model-source.ts";
import { expectNothingLeft, newPlace, type Place } from "../place.ts";
import { is, isResult, prompt } from "../wire.ts";
import { calls, finish, newDatabase, write } from "./rig.ts";

const EAGER = ["--consolidate-after", "1"];
const NOTES: readonly ScriptStep[] = [
  calls(write("user/tea", "The user drinks green tea.", "Which tea")),
  calls(finish("Noted the tea.")),
];
const STALLED: ScriptStep = { text: "hello", stallAfterChunks: 1 };
const isConsolidation = is("system", "consolidation");

/** Starts the program with the place's database. */
async function start(place: Place, script: Script, args: readonly string[] = []): Promise<AgentProcess> {
  const flags = [...(await playing(place, script)), ...args];
  return follow(startProgram(place, { args: ["--stdio", "--db", "agent.db", ...flags] }));
}

const inSession = (session_id: string, text: string) => prompt(text, { session_id });
const memoryOf = (place: Place) => newDatabase(join(place.cwd, "agent.db"));

async function ask(agent: AgentProcess, message: JsonObject): Promise<JsonObject> {
  const from = agent.lines.length;
  agent.send(message);
  return agent.line(isResult, from);
}

describe("an agent with a database", { timeout: 30_000 }, () => {
  test("finds what it has learned in a later session of another process", async () => {
    const place = await newPlace();
    const first = await start(place, { steps: [{ text: "ok" }], lanes: { consolidation: NOTES } }, EAGER);
    await ask(first, inSession("monday", "I drink green tea."));
    expect(await first.line(isConsolidation)).toMatchObject({
      entries_created: 1,
      entries_updated: 0,
      entries_archived: 0,
      summary: "Noted the tea.",
      session_id: "monday",
    });
    first.child.stdin.end();
    expect(await first.ended()).toMatchObject({ code: 0 });
    const look = calls(["MemorySearch", { query: "tea" }], ["MemoryRead", { slug: "user/tea" }]);
    const second = await start(place, { steps: [look, { text: "Green." }] });
    expect(await ask(second, inSession("tuesday", "Which tea do I drink?"))).toMatchObject({
      result: "Green.",
    });
    const results = second.lines.filter(is("system", "tool_result")).map(({ tool_result }) => tool_result);
    // They run in parallel, so either may end first.
    expect(results).toHaveLength(2);
    for (const text of ["user/tea: Which tea", "The user drinks green tea."])
      expect(results).toContainEqual(expect.objectContaining({ content: expect.stringContaining(text) }));
    expect(second.lines.some(isConsolidation)).toBe(false);
  });

  test("includes an overview of its memory in the system prompt", async () => {
    const place = await newPlace();
    const first = await start(place, { steps: [{ text: "ok" }], lanes: { consolidation: NOTES } }, EAGER);
    await ask(first, prompt("I drink green tea."));
    first.child.stdin.end();
    await first.ended();
    const api = await newApi({ steps: [{ text: "Green." }] });
    const args = ["--stdio", "--db", "agent.db"];
    const second = follow(startProgram(place, { args, env: api.env }));
    await ask(second, prompt("Which tea do I drink?"));
    const { body } = await api.request(0);
    expect(JSON.stringify(body.system)).toContain("- user/tea: Which tea");
    expect(JSON.stringify(body.tools)).toContain("MemorySearch");
  });

  test("answers during a consolidation, and abandons it when terminated", async () => {
    const place = await newPlace();
    const script = {
      steps: [{ text: "one" }, { text: "two" }],
      lanes: { consolidation: [...NOTES.slice(0, 1), STALLED] },
    };
    const agent = await start(place, script, EAGER);
    expect(await ask(agent, prompt("first"))).toMatchObject({ result: "one" });
    expect(await ask(agent, prompt("second"))).toMatchObject({ result: "two" });
    agent.child.kill("SIGTERM");
    await agent.ended(5_000);
    expect(agent.lines.some(isConsolidation)).toBe(false);
    expect(agent.complaints()).toBe("");
    expect(memoryStatistics(await memoryOf(place)).waiting).toMatchObject([{ session_id: "default" }]);
  });

  test("sends its result before it consolidates, and exits only after that if its input has ended", async () => {
    const place = await newPlace();
    const [note, ...rest] = NOTES;
    const slow = [{ ...note, delayBefore: 300 } as ScriptStep, ...rest];
    const agent = await start(place, { steps: [{ text: "ok" }], lanes: { consolidation: slow } }, EAGER);
    agent.send(prompt("I drink green tea."));
    agent.child.stdin.end();
    expect(await agent.ended()).toMatchObject({ code: 0 });
    expect(agent.lines.map(({ type, subtype }) => subtype ?? type)).toEqual([
      "assistant",
      "success",
      "consolidation",
    ]);
  });

  test("repeats a consolidation that was killed, without duplicate entries", async () => {
    const place = await newPlace();
    const killed = [...NOTES.slice(0, 1), STALLED];
    const first = await start(place, { steps: [{ text: "ok" }], lanes: { consolidation: killed } }, EAGER);
    await ask(first, inSession("monday", "I drink green tea."));
    const db = await memoryOf(place);
    const entries = new MemoryEntries(db);
    await expect.poll(() => entries.titles(), { timeout: 10_000 }).toHaveLength(1);
    first.child.kill("SIGKILL");
    await first.ended();
    expect(memoryStatistics(db).consolidations).toEqual([]);
    const second = await start(place, { steps: [{ text: "ok" }], lanes: { consolidation: NOTES } }, EAGER);
    await ask(second, inSession("tuesday", "Go on."));
    await second.line(isConsolidation);
    expect(entries.read("user/tea")).toMatchObject({ version: 1, body: "The user drinks green tea." });
    const { consolidations, waiting } = memoryStatistics(db);
    expect(consolidations.map(({ session_id }) => session_id).sort()).toEqual(["monday", "tuesday"]);
    expect(waiting).toEqual([]);
  });

  test("consolidates over the Messages API with a valid conversation", async () => {
    const place = await newPlace();
    const api = await newApi({ steps: [{ text: "ok" }, ...NOTES] });
    const args = ["--stdio", "--db", "agent.db", ...EAGER];
    const agent = follow(startProgram(place, { args, env: api.env }));
    await ask(agent, prompt("I drink green tea."));
    expect(await agent.line(isConsolidation)).toMatchObject({
      entries_created: 1,
      summary: "Noted the tea.",
    });
    for (const index of [1, 2]) {
      const { body } = await api.request(index);
      expectSoundHistory(body.messages);
      expect(body).not.toHaveProperty("lane");
      expect(JSON.stringify(body.tools)).not.toContain("Bash");
    }
  });

  test("exits immediately when its host has exited, even with background work", async () => {
    const place = await newPlace();
    const agent = await start(place, { steps: [{ text: "ok" }], lanes: { consolidation: [STALLED] } }, EAGER);
    await ask(agent, prompt("I drink green tea."));
    agent.child.stdout.destroy();
    agent.child.stdin.end(`${JSON.stringify(prompt("Are you there?"))}\n`);
    await agent.ended(10_000);
    await expectNothingLeft(place);
  });

  test("includes the cost of a consolidation in the session's next result", async () => {
    const place = await newPlace();
    const script = { steps: [{ text: "one" }, { text: "two" }], lanes: { consolidation: NOTES } };
    const agent = await start(place, script, EAGER);
    const before = await ask(agent, prompt("first"));
    await agent.line(isConsolidation);
    const after = await ask(agent, prompt("second"));
    // Two turns with one call each, and the two calls of the consolidation.
    expect(after.total_cost_usd).toBeCloseTo(4 * Number(before.total_cost_usd), 8);
    expect(after.usage).toEqual(before.usage);
  });

  test("never consolidates with the offline model, which can't judge what matters", async () => {
    const place = await newPlace();
    const agent = follow(startProgram(place, { args: ["--stdio", "--db", "agent.db", ...EAGER] }));
    await ask(agent, prompt("Hello"));
    agent.child.stdin.end();
    await agent.ended();
    expect(agent.lines.map(({ type }) => type)).toEqual(["assistant", "result"]);
    expect(memoryStatistics(await memoryOf(place)).waiting).toMatchObject([{ session_id: "default" }]);
  });
});
