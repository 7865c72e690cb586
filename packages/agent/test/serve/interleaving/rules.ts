import { isJsonObject, type JsonObject } from "@agentwire/protocol";
import { expect } from "vitest";
import { expectSoundHistory } from "../../history-checks.ts";
import { answers, asks, blocksOf, holds, is, isResult, textOf } from "../../wire.ts";
import type { TalkRecord } from "./talk.ts";

const isInit = is("system", "init");
const isState = is("system", "session_state_changed");
const isLifecycle = is("command_lifecycle");

/** Fails if a conversation violates a rule of the wire. */
export function expectRulesKept(record: TalkRecord): void {
  expectTurns(record.lines);
  expectStates(record.lines);
  expectLifecycles(record);
  expectAnswers(record);
  expectQuestions(record);
  expectInterrupts(record);
  expectMemory(record);
  const last = record.lines.findLast(isResult);
  if (record.exitCode !== undefined) expect(record.exitCode, "exit code").toBe(last?.is_error ? 1 : 0);
}

/** The lines of each turn, from its `init` to its result. */
function turnsOf(lines: readonly JsonObject[]): readonly (readonly JsonObject[])[] {
  const turns: (readonly JsonObject[])[] = [];
  let start = -1;
  for (const [index, line] of lines.entries()) {
    if (isInit(line)) {
      expect(start, "a turn that begins within another").toBe(-1);
      start = index;
    }
    if (!isResult(line)) continue;
    expect(start, "a result without a turn").toBeGreaterThanOrEqual(0);
    turns.push(lines.slice(start, index + 1));
    start = -1;
  }
  expect(start, "a turn without a result").toBe(-1);
  return turns;
}

function expectTurns(lines: readonly JsonObject[]): void {
  const turns = turnsOf(lines);
  const inTurns = new Set(turns.flat());
  const strays = lines.filter(
    (line) => !inTurns.has(line) && ["assistant", "user"].includes(String(line.type)),
  );
  expect(strays, "lines of a turn outside any").toEqual([]);
  for (const turn of turns) {
    const called = turn.flatMap((line) => blocksOf(line.message)).filter(({ type }) => type === "tool_use");
    const results = turn.filter(holds("tool_result")).flatMap((line) => blocksOf(line.message));
    const ended = results.filter(({ type }) => type === "tool_result").map((block) => block.tool_use_id);
    expect(ended.sort(), "one result for each tool call").toEqual(called.map(({ id }) => id).sort());
    const said = turn.filter((line) => line.type === "user" && line.isReplay !== true).length;
    const { num_turns } = turn.at(-1) ?? {};
    expect(num_turns === 0 ? 0 : num_turns, "num_turns").toBe(num_turns === 0 ? said : said + 1);
  }
  const indexes = turns.map((turn) => Number(turn.at(-1)?.result_index));
  expect(indexes).toEqual(indexes.map((_, position) => (indexes[0] ?? 0) + position));
}

/** running before init, idle after a result, and requires_action while the host has to answer. */
function expectStates(lines: readonly JsonObject[]): void {
  let [isTurn, state] = [false, "idle"];
  for (const line of lines) {
    if (isInit(line)) {
      expect(state, "the state when a turn opens").toBe("running");
      isTurn = true;
    }
    if (isResult(line)) {
      expect(state, "the state when a turn ends").toBe("running");
      isTurn = false;
    }
    if (asks("can_use_tool")(line)) expect(state, "the state at a question").toBe("requires_action");
    if (!isState(line)) continue;
    if (line.state === "idle") expect(isTurn, "idle within a turn").toBe(false);
    state = String(line.state);
  }
  expect(state, "the state in the end").toBe("idle");
}

/** For each named prompt, once: queued, then cancelled, or started and one end. */
function expectLifecycles({ sent, lines }: TalkRecord): void {
  const told = lines.filter(isLifecycle);
  const uuids = sent.flatMap(({ uuid }) => uuid ?? []);
  expect(told.map((line) => line.command_uuid)).toSatisfy((all: unknown[]) =>
    all.every((uuid) => uuids.includes(String(uuid))),
  );
  for (const { uuid, text } of sent) {
    if (uuid === undefined) continue;
    const states = told.filter((line) => line.command_uuid === uuid).map((line) => line.state);
    expect(["queued cancelled", "queued started completed", "queued started cancelled"], text).toContain(
      states.join(" "),
    );
  }
}

function expectAnswers({ lines, interrupts, cancels }: TalkRecord): void {
  for (const id of [...interrupts, ...cancels.keys()])
    expect(lines.filter(answers(id)), `answers to ${id}`).toHaveLength(1);
  for (const [id, uuid] of cancels) {
    const isGone = responseOf(lines.find(answers(id))).cancelled === true;
    const states = lines.filter((line) => line.command_uuid === uuid).map((line) => line.state);
    if (isGone) expect(states, "states of a withdrawn prompt").toEqual(["queued", "cancelled"]);
  }
}

function responseOf(line: JsonObject | undefined): JsonObject {
  const inner = isJsonObject(line?.response) ? line.response.response : undefined;
  return isJsonObject(inner) ? inner : {};
}

/** A question that the host never answers is withdrawn before its turn ends, unless the host has exited; none is asked twice. */
function expectQuestions({ lines, unanswered, exitCode }: TalkRecord): void {
  const asked = lines.filter(asks("can_use_tool")).map((line) => line.request_id);
  expect(new Set(asked).size).toBe(asked.length);
  const withdrawn = lines.filter(is("control_cancel_request")).map((line) => line.request_id);
  expect(withdrawn.every((id) => asked.includes(id))).toBe(true);
  expect(new Set(withdrawn).size).toBe(withdrawn.length);
  if (exitCode !== undefined) return;
  for (const id of unanswered) {
    const rest = lines.slice(lines.findIndex((line) => line.request_id === id) + 1);
    const [at, end] = [rest.findIndex((line) => line.request_id === id), rest.findIndex(isResult)];
    expect(at >= 0 && at < end, "a withdrawal before the end of the turn").toBe(true);
  }
}

const MARK = /^\[Request interrupted by user/;

/** An interrupt is acknowledged before the interrupted turn ends. */
function expectInterrupts({ lines, interrupts, stops }: TalkRecord): void {
  const isReceipt = (line: JsonObject) => interrupts.some((id) => answers(id)(line));
  let from = 0;
  for (const [index, line] of lines.entries()) {
    if (!isResult(line)) continue;
    const start = lines.findIndex((other, at) => at >= from && isState(other));
    const turn = lines.slice(start, index);
    from = index + 1;
    const marks = turn.filter((other) => other.type === "user" && MARK.test(textOf(other.message)));
    const isPreempted = line.subtype === "success";
    const isAborted = String(line.terminal_reason).startsWith("aborted") && !isPreempted;
    expect(marks.length, "marks of an interrupt").toBe(isAborted ? 1 : 0);
    if (!marks[0] || turn.some((other) => stops.has(other.request_id))) continue;
    const beforeMark = turn.slice(0, turn.indexOf(marks[0]));
    expect(beforeMark.some(isReceipt), "a receipt before the end of the turn").toBe(true);
  }
}

/** The model receives every prompt once, except withdrawn ones. */
function expectMemory({ lines, sent, lastCall }: TalkRecord): void {
  if (!lastCall || lines.some(is("conversation_reset"))) return;
  const history = expectSoundHistory(lastCall.messages).map(textOf).join("\n");
  // An interrupt that clears the queue lists the removed prompts, except those without a name.
  const isSwept = lines.some((line) => Array.isArray(responseOf(line).cancelled));
  for (const { text, uuid, isCommand } of sent) {
    if (isCommand) continue;
    const states = lines.filter((line) => uuid !== undefined && line.command_uuid === uuid);
    const isWithdrawn = states.length === 2;
    const times = history.split(text).length - 1;
    if (uuid === undefined && isSwept) expect(times, `how often the model received ${text}`).toBeLessThan(2);
    else expect(times, `how often the model received ${text}`).toBe(isWithdrawn ? 0 : 1);
  }
}
