import { isJsonObject, type JsonObject } from "@agentwire/protocol";
import { UsageError } from "../usage-error.ts";
import type { Lane } from "./model.ts";

/**
 * A conversation written down in advance. Each call that offers tools takes the next step; a call without tools, or for a
 * single token, is a side call and takes none. Work beside the turns, such as a consolidation, has steps of its own and never takes
 * one of a turn, whenever it runs. Any string may hold `{{name}}`, which is filled in when the step is played.
 */
export interface Script {
  readonly steps: readonly ScriptStep[];
  /** The steps of work beside the turns; without any left it is answered as if it were done. */
  readonly lanes?: { readonly [name in Lane]?: readonly ScriptStep[] };
  /** Answers every call after the last step. */
  readonly whenExhausted?: ScriptStep;
  /** The failure of every call for a single token, by which a model's existence is probed. */
  readonly sideError?: ScriptError;
  /** Milliseconds between deltas, for steps that don't say. */
  readonly chunkDelay?: number;
}

/** What one call gets. */
export type ScriptStep = ScriptReply | ScriptError | ScriptReset;

/** What every step may have. */
interface Timing {
  /** Milliseconds before the answer begins. */
  readonly delayBefore?: number;
  /** How many calls in a row get this step. */
  readonly repeat?: number;
}

/** A reply, whole or damaged on purpose. */
export interface ScriptReply extends Timing {
  readonly type?: "message";
  readonly content?: readonly ScriptBlock[];
  /** Short for content of one text block. */
  readonly text?: string;
  /** Unless given, it follows from the content. */
  readonly stop_reason?: string;
  readonly usage?: JsonObject;
  readonly model?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly chunkDelay?: number;
  readonly chunkSize?: number;
  readonly pingAfterStart?: boolean;
  /** The connection is lost after so many deltas. */
  readonly cutAfterChunks?: number;
  /** Nothing more comes after so many deltas. */
  readonly stallAfterChunks?: number;
  /** The stream ends in `error` after the block of this index. */
  readonly errorAfterBlock?: number;
  readonly error?: ScriptFailure;
}

/** One block of a reply: as in the Messages API, with how it is cut into deltas. */
export interface ScriptBlock extends JsonObject {
  readonly type: string;
  readonly chunks?: readonly string[];
  readonly chunkSize?: number;
  /** In place of `input`: text that need not be JSON. */
  readonly rawInput?: string;
}

/** The call is refused. */
export interface ScriptError extends Timing {
  readonly type: "error";
  readonly status?: number;
  readonly error?: ScriptFailure;
  readonly headers?: Readonly<Record<string, string>>;
}

/** The connection is lost before there is an answer. */
export interface ScriptReset extends Timing {
  readonly type: "reset";
}

/** An error in the words of the Messages API. */
export interface ScriptFailure {
  readonly type: string;
  readonly message: string;
}

/** Reads a script; throws a `UsageError` that says what is wrong with it, and where. */
export function parseScript(text: string, where: string): Script {
  const value = parse(text, where);
  if (!isJsonObject(value) || !Array.isArray(value.steps)) {
    throw new UsageError(`${where}: a script is an object with a list of steps: {"steps": […]}`);
  }
  checkSteps(value.steps, where);
  if (value.lanes !== undefined) checkLanes(value.lanes, where);
  if (value.whenExhausted !== undefined) checkStep(value.whenExhausted, `${where}: whenExhausted`);
  if (value.sideError !== undefined) checkStep(value.sideError, `${where}: sideError`);
  return value as unknown as Script;
}

function parse(text: string, where: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new UsageError(`${where}: the script is not JSON (${(cause as Error).message})`, { cause });
  }
}

function checkLanes(lanes: unknown, where: string): void {
  if (!isJsonObject(lanes)) throw new UsageError(`${where}: lanes is an object of lists of steps`);
  for (const [name, steps] of Object.entries(lanes)) {
    if (!LANES.includes(name))
      throw new UsageError(`${where}: unknown lane ${name}; choose one of ${LANES.join(", ")}`);
    if (!Array.isArray(steps)) throw new UsageError(`${where}: the lane ${name} is a list of steps`);
    checkSteps(steps, `${where}: lane ${name}`);
  }
}

function checkSteps(steps: readonly unknown[], where: string): void {
  for (const [index, step] of steps.entries()) checkStep(step, `${where}: step ${index + 1}`);
}

const LANES: readonly string[] = ["consolidation"] satisfies readonly Lane[];
const STEP_TYPES: readonly unknown[] = [undefined, "message", "error", "reset"];

function checkStep(step: unknown, where: string): void {
  if (!isJsonObject(step)) throw new UsageError(`${where} is not an object`);
  if (!STEP_TYPES.includes(step.type)) {
    throw new UsageError(
      `${where} has the type ${JSON.stringify(step.type)}: choose message, error or reset`,
    );
  }
  if (step.error !== undefined && !isFailure(step.error)) {
    throw new UsageError(`${where}: an error is {"type": "…", "message": "…"}`);
  }
  if (step.content === undefined) return;
  if (!Array.isArray(step.content) || !step.content.every(isBlock)) {
    throw new UsageError(`${where}: content is a list of blocks, each with a type`);
  }
}

const isBlock = (value: unknown) => isJsonObject(value) && typeof value.type === "string";

const isFailure = (value: unknown) =>
  isJsonObject(value) && typeof value.type === "string" && typeof value.message === "string";
