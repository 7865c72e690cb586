import { isJsonObject, type JsonObject } from "@agentwire/protocol";
import { at, mapTexts } from "../json-path.ts";
import type { Transcript, TranscriptLine } from "../transcript.ts";
import { type Context, newContext, noteHostLine, promptLabel, sessionOf } from "./context.ts";
import { type Fields, type Item, MAIN, type UnplacedItem } from "./item.ts";
import { inOrder } from "./order.ts";
import { readAssistant } from "./read-assistant.ts";
import { readCancel, readControlRequest, readControlResponse } from "./read-control.ts";
import { isAborted, readResult } from "./read-result.ts";
import { readStreamEvent } from "./read-stream-event.ts";
import { noteNotice, readSystem } from "./read-system.ts";
import { readUser } from "./read-user.ts";

/** What a host relies on in a transcript. */
export interface Reduction {
  readonly lanes: ReadonlyMap<string, readonly Item[]>;
  /** The kinds of lines that only inform, once per line. */
  readonly notices: readonly string[];
  /** What was reported about each prompt. */
  readonly lifecycles: ReadonlyMap<string, readonly string[]>;
}

/** Reduces a transcript; `replace` makes texts with paths of this machine comparable. */
export function reduce(
  transcript: Transcript,
  replace: (text: string) => string = (text) => text,
): Reduction {
  const context = newContext();
  const drafts = transcript.flatMap((line, index) => {
    const turn = context.results;
    return readLine(line, context).map((draft) => ({ draft, line: index + 1, turn }));
  });
  const aborted = abortedTurns(transcript);
  const items = drafts.map(({ draft, line, turn }) => finish(draft, line, turn, aborted.has(turn)));
  return {
    lanes: byLane(inOrder(items), replace),
    notices: context.notices,
    lifecycles: context.lifecycles,
  };
}

/** Paths are replaced last, because the deltas of a stream may split them anywhere. */
function byLane(items: readonly Item[], replace: (text: string) => string): ReadonlyMap<string, Item[]> {
  const lanes = new Map<string, Item[]>();
  for (const item of items) {
    const lane = lanes.get(item.lane) ?? [];
    lane.push(withTexts(item, replace));
    lanes.set(item.lane, lane);
  }
  return lanes;
}

type Reader = (line: JsonObject, context: Context) => readonly UnplacedItem[];

const READERS: ReadonlyMap<unknown, Reader> = new Map<unknown, Reader>([
  ["assistant", readAssistant],
  ["user", readUser],
  ["stream_event", readStreamEvent],
  ["control_request", readControlRequest],
  ["control_response", readControlResponse],
  ["control_cancel_request", readCancel],
  ["result", readResult],
  ["system", readSystem],
  ["keep_alive", () => []],
  ["conversation_reset", readReset],
  ["command_lifecycle", noteLifecycle],
  ["tool_progress", readProgress],
]);

function readLine(entry: TranscriptLine, context: Context): readonly UnplacedItem[] {
  if (entry.dir === "in") {
    noteHostLine(entry.line, context);
    return [];
  }
  if (entry.raw || !isJsonObject(entry.line)) {
    return [{ kind: "not a message", hard: { text: JSON.stringify(entry.line).slice(0, 200) } }];
  }
  const separators: readonly UnplacedItem[] = entry.unescaped ? [{ kind: "unescaped U+2028 or U+2029" }] : [];
  const reader = READERS.get(entry.line.type);
  if (reader !== undefined) return [...separators, ...reader(entry.line, context)];
  noteNotice(`line of type ${entry.line.type}`, context);
  return separators;
}

function readReset(line: JsonObject, context: Context): readonly UnplacedItem[] {
  const soft = {
    trigger: line.trigger ?? null,
    new_conversation_id: typeof line.new_conversation_id === "string",
  };
  return [{ kind: "conversation_reset", hard: sessionOf(line, context), soft }];
}

function noteLifecycle(line: JsonObject, context: Context): readonly UnplacedItem[] {
  const prompt = promptLabel(line.command_uuid, context);
  const states = context.lifecycles.get(prompt) ?? [];
  context.lifecycles.set(prompt, [...states, String(line.state)]);
  return [];
}

/** One progress message per turn is enough: their number depends on timing. */
function readProgress(line: JsonObject, context: Context): readonly UnplacedItem[] {
  if (context.progressTurn === context.results) return [];
  context.progressTurn = context.results;
  return [
    { kind: "tool_progress", hard: { tool_name: line.tool_name }, lane: "tool progress", optional: true },
  ];
}

function abortedTurns(transcript: Transcript): ReadonlySet<number> {
  const results = transcript
    .filter(({ dir, line }) => dir === "out" && at(line, "type") === "result")
    .map(({ line }) => isJsonObject(line) && isAborted(line));
  return new Set(results.flatMap((isStopped, turn) => (isStopped ? [turn] : [])));
}

function finish(draft: UnplacedItem, line: number, turn: number, aborted: boolean): Item {
  const { kind, hard = {}, soft = {}, lane = MAIN, place = { of: "tool" }, optional = false } = draft;
  return { kind, hard, soft, lane, place, optional, line, turn, aborted };
}

function withTexts(item: Item, replace: (text: string) => string): Item {
  return {
    ...item,
    hard: mapTexts(item.hard, replace) as Fields,
    soft: mapTexts(item.soft, replace) as Fields,
  };
}
