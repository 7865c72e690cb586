import type { JsonObject } from "@agentwire/protocol";
import fc from "fast-check";
import { expect, test } from "vitest";
import { times } from "../../../../../test/times.ts";
import { InProcessAgent, playingOne } from "../../in-process.ts";
import { ASKED } from "../../model-source.ts";
import type { Place } from "../../place.ts";
import { answer } from "../../wire.ts";
import { playTalks } from "../interleaving/lanes.ts";
import { modelSteps } from "../interleaving/model-steps.ts";
import { inShort, inside, rpc, run } from "./rpc.ts";

const MOVES = [
  "run",
  "run",
  "run",
  "cancel",
  "status",
  "answer",
  "answer",
  "nonsense",
  "wait for a question",
  "wait for a reply",
  "wait for a result",
  "wait a moment",
] as const;

const talks = fc.record({
  moves: fc.array(fc.constantFrom(...MOVES), { maxLength: 16, size: "max" }),
  steps: modelSteps,
});

async function play({ moves, steps }: { moves: (typeof MOVES)[number][]; steps: object[] }, place: Place) {
  const script = await playingOne(place, { steps, whenExhausted: { text: "Done." } });
  const agent = new InProcessAgent(place, ["--dialect", "jsonrpc", ...ASKED, ...script]);
  const asked = new Map<number, "run" | "cancel" | "status">();
  let [nonsense, read] = [0, 0];
  const wait = async (type: string | undefined, patienceMs = 60) => {
    await agent.until((line) => inside(line).type === type, read, patienceMs);
    read = agent.lines.length;
  };
  for (const move of moves) {
    switch (move) {
      case "run":
      case "cancel":
      case "status": {
        const id = asked.size;
        asked.set(id, move);
        agent.send(move === "run" ? run(id, "go on") : rpc(id, move));
        break;
      }
      case "answer": {
        const question = agent.lines.map(inside).findLast(({ type }) => type === "control_request");
        if (question) agent.send(answer(question.request_id, { behavior: "allow" }));
        break;
      }
      case "nonsense":
        nonsense++;
        agent.write("nonsense\n");
        break;
      case "wait for a question":
        await wait("control_request");
        break;
      case "wait for a reply":
        await wait("assistant");
        break;
      case "wait for a result":
        await wait("result");
        break;
      case "wait a moment":
        await wait("nothing that comes", 3);
    }
  }
  expect([0, 1]).toContain(await agent.end());
  expectRulesKept(agent.lines, asked);
  expect(agent.lines.filter((line) => line.id === null)).toHaveLength(nonsense);
}

function expectRulesKept(lines: readonly JsonObject[], asked: ReadonlyMap<number, string>): void {
  for (const [id, method] of asked) {
    const own = lines.filter((line) => line.id === id).map((line) => inShort(line).replace(`${id} `, ""));
    const [only] = own;
    if (only?.startsWith("error")) expect([method, own]).toEqual([method, [only]]);
    else if (method === "run") {
      expect(own.filter((word) => word.startsWith("result"))).toHaveLength(1);
      expect(own.at(-1)).toMatch(/^result/);
    } else expect([method, own]).toEqual([method, ["system status"]]);
  }
  // Never two runs at once: the lines of a run are contiguous, except for answers to other requests.
  const speakers = lines.filter((line) => asked.get(Number(line.id)) === "run" && !("error" in line));
  const order = speakers.map(({ id }) => id).filter((id, at, ids) => id !== ids[at - 1]);
  expect(new Set(order).size).toBe(order.length);
  // Every line belongs to a run: no turn started by itself.
  expect(lines.filter((line) => inShort(line).startsWith("notification result"))).toEqual([]);
}

test(
  "a JSON-RPC host may act in any order: nothing hangs and every run ends with exactly one result",
  {
    timeout: 120_000,
  },
  () => playTalks(times(60, 240), talks, play),
);
