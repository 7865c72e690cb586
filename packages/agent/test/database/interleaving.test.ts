import { rm } from "node:fs/promises";
import type { ScriptStep } from "@agentwire/models/script";
import { isJsonObject, type JsonObject } from "@agentwire/protocol";
import fc from "fast-check";
import { expect, test } from "vitest";
import { times } from "../../../../test/times.ts";
import { InProcessAgent, playingOne } from "../in-process.ts";
import { ASKED } from "../model-source.ts";
import type { Place } from "../place.ts";
import { playTalks } from "../serve/interleaving/lanes.ts";
import { modelSteps } from "../serve/interleaving/model-steps.ts";
import { answer, asks, blocksOf } from "../wire.ts";
import { readKept } from "./kept.ts";
import { INTERRUPT, inShort, of, STATUS, user } from "./miriad-agent.ts";

const MOVES = [
  "message",
  "message",
  "message",
  "message elsewhere",
  "interrupt",
  "interrupt",
  "status",
  "answer",
  "answer",
  "nonsense",
  "wait for a question",
  "wait for a reply",
  "wait for the end of a tool",
  "wait for a result",
  "wait a moment",
] as const;

const talks = fc.record({
  moves: fc.array(fc.constantFrom(...MOVES), { maxLength: 18, size: "max" }),
  steps: modelSteps,
});

/** What a host has done. */
interface Done {
  readonly messages: string[];
  interrupts: number;
  statuses: number;
  nonsense: number;
}

let talksBegun = 0;

async function play(
  { moves, steps }: { readonly moves: readonly (typeof MOVES)[number][]; readonly steps: ScriptStep[] },
  place: Place,
): Promise<void> {
  const path = `${place.cwd}/${++talksBegun}.db`;
  const script = await playingOne(place, { steps, whenExhausted: { text: "Done." } });
  const agent = new InProcessAgent(place, ["--stdio", "--db", path, ...ASKED, ...script]);
  const done: Done = { messages: [], interrupts: 0, statuses: 0, nonsense: 0 };
  let read = 0;
  const wait = async (matches: (line: JsonObject) => boolean, patienceMs = 30) => {
    await agent.until(matches, read, patienceMs);
    read = agent.lines.length;
  };
  const say = (session?: string) => {
    const text = `message ${done.messages.length}.`;
    done.messages.push(text);
    agent.send(user(text, session));
  };
  for (const move of moves) {
    switch (move) {
      case "message":
        say();
        break;
      case "message elsewhere":
        say("elsewhere");
        break;
      case "interrupt":
        done.interrupts++;
        agent.send(INTERRUPT);
        break;
      case "status":
        done.statuses++;
        agent.send(STATUS);
        break;
      case "answer": {
        const question = agent.lines.findLast(asks("can_use_tool"));
        if (question) agent.send(answer(question.request_id, { behavior: "allow" }));
        break;
      }
      case "nonsense":
        done.nonsense++;
        agent.write("nonsense\n");
        break;
      case "wait for a question":
        await wait(asks("can_use_tool"));
        break;
      case "wait for a reply":
        await wait(({ type }) => type === "assistant");
        break;
      case "wait for the end of a tool":
        await wait(of("tool_result"));
        break;
      case "wait for a result":
        await wait(({ type }) => type === "result");
        break;
      case "wait a moment":
        await wait(() => false, 3);
    }
  }
  const code = await agent.end();
  expectTurns(agent.lines);
  expectAnswers(agent.lines, done);
  const last = agent.lines.findLast(({ type }) => type === "result");
  expect(code, "the exit code").toBe(last?.is_error === true ? 1 : 0);
  // Nothing is queued any more, and nothing was answered twice.
  const kept = await readKept(path);
  expect(kept.queued).toEqual([]);
  expect(kept.answered.toSorted()).toEqual(done.messages.toSorted());
  for (const suffix of ["", "-wal", "-shm", "-lock"]) await rm(`${path}${suffix}`, { force: true });
}

const OF_A_TURN = new Set(["assistant", "tool_result", "injected", "interrupted"]);

/** Turns never overlap; each ends with exactly one result, and every call in it has exactly one result. */
function expectTurns(lines: readonly JsonObject[]): void {
  let turn: JsonObject[] = [];
  for (const line of lines) {
    if (OF_A_TURN.has(inShort(line))) turn.push(line);
    if (line.type !== "result") continue;
    const replies = turn.filter(({ type }) => type === "assistant");
    for (const reply of replies) expect(reply.session_id, "whose turn it is").toBe(line.session_id);
    const called = replies.flatMap(({ message }) =>
      blocksOf(message).filter(({ type }) => type === "tool_use"),
    );
    const ended = turn.flatMap(({ tool_result: block }) => (isJsonObject(block) ? [block.tool_use_id] : []));
    expect(ended.toSorted(), "one result for each call").toEqual(called.map(({ id }) => id).toSorted());
    const interrupts = turn.filter(of("interrupted")).length;
    expect(interrupts, "an interrupt, and what comes of it").toBe(line.subtype === "cancelled" ? 1 : 0);
    turn = [];
  }
  expect(turn.map(inShort), "lines of a turn without a result").toEqual([]);
}

function expectAnswers(
  lines: readonly JsonObject[],
  { messages, interrupts, statuses, nonsense }: Done,
): void {
  const results = lines.filter(({ type }) => type === "result");
  expect(results.length > 0, "whether there was a turn").toBe(messages.length > 0);
  expect(results.length).toBeLessThanOrEqual(messages.length);
  expect(lines.filter(of("status"))).toHaveLength(statuses);
  const errors = lines.filter((line) => of("error")(line) && line.type === "system");
  const idle = errors.filter(({ message }) => message === "No turn is currently running");
  expect(errors.length - idle.length).toBe(nonsense);
  expect(lines.filter(of("interrupted")).length + idle.length).toBeLessThanOrEqual(interrupts);
  const queued = lines.filter(of("queued"));
  const injected = lines.filter(of("injected")).reduce((sum, line) => sum + Number(line.message_count), 0);
  expect(injected).toBeLessThanOrEqual(queued.length);
  // Every message that was not queued has started a turn, and each turn starts with at least one message.
  expect(messages.length - queued.length).toBeLessThanOrEqual(results.length);
  expect(results.length + injected).toBeLessThanOrEqual(messages.length);
}

test(
  "whatever a miriad host sends, in whatever order, every turn has one result, every message one answer, and nothing hangs",
  { timeout: 170_000 },
  () => playTalks(times(100, 500), talks, play),
);
