import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { ScriptStep } from "@agentwire/models/script";
import type { JsonObject } from "@agentwire/protocol";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { readConfig } from "../../src/config/config.ts";
import { parseFlags } from "../../src/config/flags.ts";
import { HostLink } from "../../src/host/host-link.ts";
import { waitingMaterial } from "../../src/memory/material.ts";
import { KnownProviders } from "../../src/model/known-providers.ts";
import type { Model } from "../../src/model/model.ts";
import { scriptedModel } from "../../src/model/scripted.ts";
import { assemble } from "../../src/session/assemble.ts";
import { openDatabase } from "../../src/store/sqlite/database.ts";
import { databaseStore } from "../../src/store/sqlite/store.ts";
import { INTERRUPTED_CALL } from "../../src/store/tool-pairs.ts";
import { blocksOf, type History } from "../../src/turn/history.ts";
import { expectSoundHistory } from "../history-checks.ts";
import { newFolder } from "../store/folder.ts";

/** The plan of a turn: the number of calls in each step, and the steps after which the window is full. */
interface PlannedTurn {
  readonly steps: readonly { readonly files: readonly string[]; readonly isFull: boolean }[];
  /** What happens before the turn. */
  readonly before: "nothing" | "compact" | "restart";
}

const file = fc.constantFrom("small.txt", "big.txt", "missing.txt");
const step = fc.record({ files: fc.array(file, { minLength: 1, maxLength: 3 }), isFull: fc.boolean() });
const turn: fc.Arbitrary<PlannedTurn> = fc.record({
  steps: fc.array(step, { maxLength: 4 }),
  before: fc.constantFrom("nothing", "nothing", "compact", "restart"),
});

/** Plays the planned steps, checks every conversation that it receives, and writes the requested summaries. */
class CheckingModel implements Model {
  readonly planned: ScriptStep[] = [];
  readonly #played: ScriptStep[] = [];
  readonly #scripted = scriptedModel({ steps: this.#played }, new Map());
  summaries = 0;

  call: Model["call"] = (call, signal) => {
    const messages = expectSoundHistory(call.messages);
    // Detects a history that lost a result.
    expect(JSON.stringify(messages)).not.toContain(INTERRUPTED_CALL);
    const isSummary = JSON.stringify(messages.at(-1)).includes("write a summary of this conversation");
    if (isSummary) this.summaries++;
    const summary = { text: `<summary>summary ${this.summaries}</summary>` };
    this.#played.push(isSummary ? summary : (this.planned.shift() ?? { text: "nothing was planned" }));
    return this.#scripted.call(call, signal);
  };
}

/** A conversation without the ids of its stored lines. */
const said = ({ messages }: History) =>
  messages.map(({ role, content }) => ({ role, content: blocksOf(content) }));

async function converse(turns: readonly PlannedTurn[]) {
  const folder = await newFolder();
  await writeFile(join(folder, "small.txt"), "a small file\n");
  await writeFile(join(folder, "big.txt"), `${"x".repeat(100)}\n`.repeat(500));
  const config = readConfig(
    parseFlags(["--db", "agent.db", "--bare", "--model", "some-model-without-a-price"]),
    { HOME: folder, CLAUDE_CODE_TMPDIR: folder },
    folder,
  );
  const database = await openDatabase(config.database ?? "");
  const model = new CheckingModel();
  const results: JsonObject[] = [];
  let told = () => {};
  const host = new HostLink((message) => {
    if (message.type !== "result") return;
    results.push(message);
    told();
  });
  const start = async () => {
    const agent = await assemble(config, host, () => {}, {
      store: databaseStore(database, "s", config),
      choose: async () => ({ kind: "scripted", model, providers: new KnownProviders() }),
    });
    if (agent.kind === "refused") throw new Error(agent.reason);
    return { ...agent, served: agent.session.serve() };
  };
  let agent = await start();
  const say = async (content: string) => {
    const { inbox } = agent.session.context;
    const uuid = crypto.randomUUID();
    const answered = new Promise<void>((resolve) => {
      told = resolve;
    });
    inbox.add({
      uuid,
      named: false,
      content,
      priority: "next",
      query: true,
      synthetic: false,
      verbatim: false,
    });
    await answered;
  };
  const end = async () => {
    agent.session.end();
    await agent.served;
    await agent.close();
  };
  for (const [i, { steps, before }] of turns.entries()) {
    if (before === "compact") await say("/compact");
    if (before === "restart") {
      const known = said(agent.session.context.history);
      await end();
      agent = await start();
      expect(said(agent.session.context.history)).toEqual(known);
    }
    model.planned.push(
      ...steps.map(({ files, isFull }, j) => ({
        content: files.map((name) => ({
          type: "tool_use",
          name: "Read",
          input: { file_path: join(folder, name) },
          id: `toolu_${i}_${j}_${crypto.randomUUID()}`,
        })),
        ...(isFull && { usage: { input_tokens: 190_000 } }),
      })),
      { text: `reply ${i}.` },
    );
    await say(`prompt ${i}.`);
  }
  await end();
  const [material] = waitingMaterial(database, Number.POSITIVE_INFINITY);
  database.close();
  return { material: material?.text ?? "", results, summaries: model.summaries };
}

describe("compaction in a database", { timeout: 240_000 }, () => {
  test("never separates a call from its result, and loses nothing that is still to be consolidated", async () => {
    let compactions = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(turn, { minLength: 1, maxLength: 6 }), async (turns) => {
        const { material, results, summaries } = await converse(turns);
        compactions += summaries;
        expect(results.filter(({ is_error }) => is_error)).toEqual([]);
        expect(results).toHaveLength(
          turns.length + turns.filter(({ before }) => before === "compact").length,
        );
        for (const i of turns.keys()) {
          expect(material.split(`prompt ${i}.`)).toHaveLength(2);
          expect(material.split(`reply ${i}.`)).toHaveLength(2);
        }
        const calls = turns.flatMap(({ steps }) => steps.flatMap(({ files }) => files));
        expect(material.split("Agent calls Read")).toHaveLength(calls.length + 1);
        expect(material.split(/It (?:said|failed):/)).toHaveLength(calls.length + 1);
        expect(material).not.toContain("summary 1");
      }),
      { numRuns: 50 },
    );
    expect(compactions).toBeGreaterThan(10);
  });
});
