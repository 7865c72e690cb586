import { isJsonObject, type JsonObject } from "@agentwire/protocol";
import { at, listAt, textAt } from "../json-path.ts";
import type { Transcript } from "../transcript.ts";

/** How often an order holds, among all places where it could. */
export type Holds = "always" | "sometimes" | "never" | "not seen";

type Observe = (lines: readonly JsonObject[]) => readonly boolean[];

/** The orders that hosts rely on, each as a test of the lines of one process. */
const ORDERINGS: Readonly<Record<string, Observe>> = {
  "a turn begins with system/init": (lines) =>
    turnsOf(lines)
      .filter((turn) => turn.some(isOf("assistant")))
      .map(
        (turn) => turn.findIndex(isInit) >= 0 && turn.findIndex(isInit) < turn.findIndex(isOf("assistant")),
      ),
  "the answer to initialize comes before system/init": (lines) => {
    const answer = lines.findIndex((line) => at(line, "response", "response", "commands") !== undefined);
    return answer < 0 || !lines.some(isInit) ? [] : [answer < lines.findIndex(isInit)];
  },
  "nothing of the turn comes after its result": (lines) =>
    lines.flatMap((line, index) => {
      if (!isOf("result")(line)) return [];
      const next = lines.slice(index + 1).find((later) => isInit(later) || isTalk(later));
      return next === undefined ? [] : [isInit(next)];
    }),
  "an assistant line comes before its content_block_stop": (lines) =>
    lines.flatMap((line, index) => {
      if (at(line, "event", "type") !== "content_block_stop") return [];
      const before = lines.slice(0, index).reverse();
      const start = before.findIndex((one) => at(one, "event", "type") === "content_block_start");
      return start < 0 ? [] : [before.slice(0, start).some(isOf("assistant"))];
    }),
  "a tool is called before anything is said about it": (lines) => {
    const called = new Set<unknown>();
    return lines.flatMap((line) => {
      for (const block of listAt(line, "message", "content"))
        if (at(block, "type") === "tool_use") called.add(at(block, "id"));
      const about = at(line, "request", "tool_use_id") ?? resultOf(line);
      return about === undefined ? [] : [called.has(about)];
    });
  },
  "the session id stays the same": (lines) => {
    const ids = lines.flatMap((line) => textAt(line, "session_id") ?? []);
    return ids.slice(1).map((id) => id === ids[0]);
  },
  "an interrupt is answered before the result": (lines) => {
    const answer = lines.findIndex((line) => at(line, "response", "response", "still_queued") !== undefined);
    const stopped = lines.findIndex((line) => String(line.terminal_reason).startsWith("aborted"));
    return answer < 0 || stopped < 0 ? [] : [answer < stopped];
  },
  "idle comes after the result": (lines) =>
    lines.flatMap((line, index) =>
      line.state === "idle" ? [lines.slice(0, index).some(isOf("result"))] : [],
    ),
};

/** Which orders hold in these transcripts; every process of a scenario counts separately. */
export function orderingsIn(transcripts: readonly Transcript[]): Readonly<Record<string, Holds>> {
  const processes = transcripts.flatMap(processesOf);
  const holds = Object.entries(ORDERINGS).map(
    ([name, observe]) => [name, summary(processes.flatMap(observe))] as const,
  );
  return Object.fromEntries(holds.sort(([a], [b]) => (a < b ? -1 : 1)));
}

function summary(observed: readonly boolean[]): Holds {
  if (observed.length === 0) return "not seen";
  if (observed.every(Boolean)) return "always";
  return observed.some(Boolean) ? "sometimes" : "never";
}

function processesOf(transcript: Transcript): readonly (readonly JsonObject[])[] {
  const numbers = [...new Set(transcript.map(({ p = 1 }) => p))];
  return numbers.map((number) =>
    transcript.flatMap(({ p = 1, dir, line }) =>
      p === number && dir === "out" && isJsonObject(line) ? [line] : [],
    ),
  );
}

function turnsOf(lines: readonly JsonObject[]): readonly (readonly JsonObject[])[] {
  const turns: JsonObject[][] = [[]];
  for (const line of lines) {
    turns.at(-1)?.push(line);
    if (isOf("result")(line)) turns.push([]);
  }
  return turns;
}

const isOf = (type: string) => (line: JsonObject) => line.type === type;
const isInit = (line: JsonObject) => line.type === "system" && line.subtype === "init";
const isTalk = (line: JsonObject) =>
  line.type === "assistant" || line.type === "user" || line.type === "stream_event";

function resultOf(line: JsonObject): unknown {
  const block = listAt(line, "message", "content").find((one) => at(one, "type") === "tool_result");
  return at(block, "tool_use_id");
}
