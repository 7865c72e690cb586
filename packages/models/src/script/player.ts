import { isJsonObject, Unknown } from "@agentwire/protocol";
import type { ApiEvent, StopReason, Usage } from "@agentwire/protocol/messages";
import { asString } from "@agentwire/protocol/support";
import { piecesOf, type ReplyBlock, replyEvents } from "./reply-events.ts";
import type { Lane, Script, ScriptBlock, ScriptFailure, ScriptReply, ScriptStep } from "./script.ts";

/** One step in the playback of a scripted reply. */
export type Frame =
  | { readonly type: "event"; readonly event: ApiEvent }
  | { readonly type: "wait"; readonly ms: number }
  /** The stream stays open but sends nothing more. */
  | { readonly type: "stall" }
  /** The connection is lost. */
  | { readonly type: "cut" }
  /** The stream ends in an error. */
  | { readonly type: "fail"; readonly error: ScriptFailure };

/** The purpose of a call: a turn, a check whether a model exists, work outside the turns, or anything else, such as a title. */
export type CallKind = "turn" | "probe" | "side" | Lane;

/** Plays a script step by step. It generates the same ids in every run. */
export interface ScriptPlayer {
  /** The step for the next call, with its variables filled in. */
  take(kind: CallKind): ScriptStep;
  /** The number of turn steps that have not been taken. */
  left(): number;
  /** The frames of a reply; `model` is used unless the step names another. */
  frames(reply: ScriptReply, model: string): Generator<Frame>;
  /** A fresh id such as `msg_script_000001`. */
  newId(prefix: string): string;
}

/** Options in which players differ. */
interface PlayOptions {
  /** Separates the prefix of an id from its number. */
  readonly idMark?: string;
  /** The text of the reply to a side call. */
  readonly sideText?: string;
}

/** Starts at the first step; `variables` fill in `{{name}}`. */
export function playScript(
  script: Script,
  variables: ReadonlyMap<string, string>,
  { idMark = "_script_", sideText = "(side call)" }: PlayOptions = {},
): ScriptPlayer {
  const side: ScriptReply = { text: sideText, usage: { input_tokens: 1, output_tokens: 1 } };
  const turns = follow(script.steps, () => script.whenExhausted ?? EXHAUSTED);
  const consolidation = follow(script.lanes?.consolidation ?? [], () => side);
  let ids = 0;
  const newId = (prefix: string) => `${prefix}${idMark}${String(++ids).padStart(6, "0")}`;
  const next = (kind: CallKind): ScriptStep => {
    if (kind === "probe") return script.probe ?? side;
    if (kind === "side") return side;
    return kind === "turn" ? turns.take() : consolidation.take();
  };
  return {
    take: (kind) => fill(next(kind), variables) as ScriptStep,
    left: () => turns.left(),
    frames: (reply, model) => framesOf(reply, model, script.chunkDelay ?? 0, newId),
    newId,
  };
}

const EXHAUSTED: ScriptReply = { text: "(the script has no more steps)" };

/** Iterates over a list of steps; `last` provides the step for every call after the end. */
function follow(steps: readonly ScriptStep[], last: () => ScriptStep) {
  let next = 0;
  let timesTaken = 0;
  const take = (): ScriptStep => {
    const step = steps[next];
    if (!step) return last();
    timesTaken++;
    if (timesTaken >= (step.repeat ?? 1)) {
      next++;
      timesTaken = 0;
    }
    return step;
  };
  return { take, left: () => steps.length - next };
}

function fill(value: unknown, variables: ReadonlyMap<string, string>): unknown {
  if (typeof value === "string") {
    return value.replace(/\{\{(\w+)\}\}/g, (whole, name: string) => variables.get(name) ?? whole);
  }
  if (Array.isArray(value)) return value.map((item) => fill(item, variables));
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, fill(item, variables)]));
}

function* framesOf(
  step: ScriptReply,
  model: string,
  defaultDelay: number,
  newId: (prefix: string) => string,
): Generator<Frame> {
  const id = newId("msg");
  const blocks = (step.content ?? [{ type: "text", text: step.text ?? "ok" }]).map((block) =>
    toReplyBlock(block, step.chunkSize ?? 16, newId),
  );
  const reply = {
    id,
    model: step.model ?? model,
    blocks,
    stopReason: stopReasonOf(step),
    usage: usageOf(step),
  };
  const delay = step.chunkDelay ?? defaultDelay;
  let deltas = 0;
  for (const event of replyEvents(reply)) {
    yield { type: "event", event };
    if (event.type === "message_start" && step.pingAfterStart !== false) {
      yield { type: "event", event: { type: "ping" } };
    }
    if (event.type === "content_block_stop" && event.index === step.errorAfterBlock) {
      yield { type: "fail", error: step.error ?? { type: "overloaded_error", message: "Overloaded" } };
      return;
    }
    if (!isCounted(event)) continue;
    deltas++;
    if (deltas >= (step.stallAfterChunks ?? Number.POSITIVE_INFINITY)) return yield { type: "stall" };
    if (deltas >= (step.cutAfterChunks ?? Number.POSITIVE_INFINITY)) return yield { type: "cut" };
    if (delay > 0) yield { type: "wait", ms: delay };
  }
}

/** Only deltas from the script count; the API itself adds a signature, and an empty delta before a tool's input. */
function isCounted(event: ApiEvent): boolean {
  if (event.type !== "content_block_delta" || event.delta.type === "signature_delta") return false;
  return event.delta.type !== "input_json_delta" || event.delta.partial_json !== "";
}

function toReplyBlock(block: ScriptBlock, stepSize: number, newId: (prefix: string) => string): ReplyBlock {
  const { chunks, chunkSize, rawInput, ...plain } = block;
  const cut = (text: string) => chunks ?? piecesOf(text, chunkSize ?? stepSize);
  switch (block.type) {
    case "text": {
      const text = asString(block.text) ?? "";
      return { block: { type: "text", text }, pieces: cut(text) };
    }
    case "thinking": {
      const thinking = asString(block.thinking) ?? "";
      const signature = asString(block.signature) || "c2NyaXB0ZWQ=";
      return { block: { type: "thinking", thinking, signature }, pieces: cut(thinking) };
    }
    case "tool_use":
    case "server_tool_use": {
      const input = isJsonObject(block.input) ? block.input : {};
      const id = asString(block.id) || newId(block.type === "tool_use" ? "toolu" : "srvtoolu");
      const pieces = ["", ...cut(rawInput ?? JSON.stringify(input))];
      return { block: { type: block.type, id, name: asString(block.name) ?? "", input }, pieces };
    }
    case "redacted_thinking":
      return { block: { type: "redacted_thinking", data: asString(block.data) ?? "" }, pieces: [] };
    default:
      return { block: new Unknown(block.type, plain), pieces: [] };
  }
}

function stopReasonOf(step: ScriptReply): StopReason {
  // A script may use a stop reason that this version does not know.
  if (step.stop_reason !== undefined) return step.stop_reason as StopReason;
  return step.content?.some(({ type }) => type === "tool_use") ? "tool_use" : "end_turn";
}

function usageOf(step: ScriptReply): Usage {
  return {
    input_tokens: 100,
    output_tokens: 20,
    cache_creation_input_tokens: 0,
    cache_read_input_tokens: 0,
    cache_creation: { ephemeral_5m_input_tokens: 0, ephemeral_1h_input_tokens: 0 },
    service_tier: "standard",
    ...step.usage,
  };
}
