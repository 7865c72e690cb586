import { isJsonObject, type JsonObject } from "@agentwire/protocol";
import {
  array,
  boolean,
  faultIn,
  jsonObject,
  number,
  record,
  type Schema,
  string,
} from "@agentwire/protocol/schema";

/** Work outside the turns of a session that makes its own model calls. */
export type Lane = "consolidation";

/**
 * A scripted conversation. Each call that offers tools takes the next step; a call without tools, or for a single token, is a side call
 * and takes none. Work outside the turns, such as a consolidation, has separate steps and never takes one of a turn, whenever it runs.
 * Any string may contain `{{name}}`, which is replaced when the step is played.
 */
export interface Script {
  readonly steps: readonly ScriptStep[];
  /** The steps of work outside the turns; when none are left, calls are answered as if the work were done. */
  readonly lanes?: { readonly [name in Lane]?: readonly ScriptStep[] };
  /** Answers every call after the last step. */
  readonly whenExhausted?: ScriptStep;
  /** The error for every call for a single token, which agents make to check whether a model exists. */
  readonly probe?: ScriptError;
  /** The default for the milliseconds between deltas. */
  readonly chunkDelay?: number;
}

/** The answer to one call. */
export type ScriptStep = ScriptReply | ScriptError | ScriptReset;

/** Properties of every step. */
interface Common {
  /** What the request must at least contain; other requests are rejected. */
  readonly expect?: JsonObject;
  /** Milliseconds before the answer starts. */
  readonly delayBefore?: number;
  /** How many consecutive calls get this step. */
  readonly repeat?: number;
}

/** A reply, complete or deliberately broken. */
export interface ScriptReply extends Common {
  readonly type?: "message";
  readonly content?: readonly ScriptBlock[];
  /** Shorthand for content with one text block. */
  readonly text?: string;
  /** Derived from the content by default. */
  readonly stop_reason?: string;
  readonly usage?: JsonObject;
  readonly model?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly chunkDelay?: number;
  readonly chunkSize?: number;
  readonly pingAfterStart?: boolean;
  /** The connection is lost after this many deltas. */
  readonly cutAfterChunks?: number;
  /** Nothing more is sent after this many deltas. */
  readonly stallAfterChunks?: number;
  /** The stream ends in `error` after the block of this index. */
  readonly errorAfterBlock?: number;
  readonly error?: ScriptFailure;
}

/** One block of a reply, as in the Messages API, with options for splitting it into deltas. */
export interface ScriptBlock extends JsonObject {
  readonly type: string;
  readonly chunks?: readonly string[];
  readonly chunkSize?: number;
  /** Replaces `input`: text that need not be JSON. */
  readonly rawInput?: string;
}

/** The call is rejected. */
export interface ScriptError extends Common {
  readonly type: "error";
  readonly status?: number;
  readonly error?: ScriptFailure;
  readonly headers?: Readonly<Record<string, string>>;
}

/** The connection is lost before an answer. */
export interface ScriptReset extends Common {
  readonly type: "reset";
}

/** An error as in the Messages API. */
export interface ScriptFailure {
  readonly type: string;
  readonly message: string;
}

/** Thrown for a text that is not a valid script. */
export class InvalidScript extends Error {
  override readonly name = "InvalidScript";
}

/** Parses a script; throws an `InvalidScript` that says what is wrong and where. */
export function parseScript(text: string): Script {
  const value = parse(text);
  if (!isJsonObject(value) || !Array.isArray(value.steps))
    throw new InvalidScript('a script is an object with a list of steps: {"steps": […]}');
  for (const key of Object.keys(value))
    if (!SCRIPT_KEYS.includes(key)) throw new InvalidScript(`unknown key ${key}: ${oneOf(SCRIPT_KEYS)}`);
  checkSteps(value.steps, "");
  if (value.lanes !== undefined) checkLanes(value.lanes);
  if (value.whenExhausted !== undefined) checkStep(value.whenExhausted, "whenExhausted");
  if (value.probe !== undefined) checkStep(value.probe, "probe");
  check(number, value.chunkDelay, "chunkDelay");
  return value as unknown as Script;
}

const SCRIPT_KEYS = [
  "steps",
  "lanes",
  "whenExhausted",
  "probe",
  "chunkDelay",
] as const satisfies readonly (keyof Script)[] as readonly string[];
const LANES = ["consolidation"] as const satisfies readonly Lane[] as readonly string[];

type Fields<T> = { readonly [key in Exclude<keyof T, "type">]-?: Schema<unknown> };

const COMMON: Fields<Common> = { expect: jsonObject, delayBefore: number, repeat: number };
const REPLY: Fields<ScriptReply> = {
  ...COMMON,
  content: array(jsonObject),
  text: string,
  stop_reason: string,
  usage: jsonObject,
  model: string,
  headers: record(string),
  chunkDelay: number,
  chunkSize: number,
  pingAfterStart: boolean,
  cutAfterChunks: number,
  stallAfterChunks: number,
  errorAfterBlock: number,
  error: jsonObject,
};
const ERROR: Fields<ScriptError> = { ...COMMON, status: number, error: jsonObject, headers: record(string) };
const STEPS: ReadonlyMap<unknown, Readonly<Record<string, Schema<unknown>>>> = new Map([
  [undefined, REPLY],
  ["message", REPLY],
  ["error", ERROR],
  ["reset", COMMON],
]);

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new InvalidScript(`the script is not JSON (${(cause as Error).message})`, { cause });
  }
}

function checkLanes(lanes: unknown): void {
  if (!isJsonObject(lanes)) throw new InvalidScript("lanes is an object of lists of steps");
  for (const [name, steps] of Object.entries(lanes)) {
    if (!LANES.includes(name)) throw new InvalidScript(`unknown lane ${name}: ${oneOf(LANES)}`);
    if (!Array.isArray(steps)) throw new InvalidScript(`the lane ${name} is a list of steps`);
    checkSteps(steps, `lane ${name}: `);
  }
}

function checkSteps(steps: readonly unknown[], where: string): void {
  for (const [index, step] of steps.entries()) checkStep(step, `${where}step ${index + 1}`);
}

function checkStep(step: unknown, where: string): void {
  if (!isJsonObject(step)) throw new InvalidScript(`${where} is not an object`);
  const { type, ...fields } = step;
  const known = STEPS.get(type);
  if (!known)
    throw new InvalidScript(`${where} has the type ${JSON.stringify(type)}: choose message, error or reset`);
  if (step.error !== undefined && !isFailure(step.error))
    throw new InvalidScript(`${where}: an error is {"type": "…", "message": "…"}`);
  if (step.content !== undefined && !(Array.isArray(step.content) && step.content.every(isBlock)))
    throw new InvalidScript(`${where}: content is a list of blocks, each with a type`);
  for (const [key, value] of Object.entries(fields)) {
    const schema = known[key];
    if (!schema) throw new InvalidScript(`${where}: unknown key ${key}: ${oneOf(Object.keys(known))}`);
    check(schema, value, `${where}: ${key}`);
  }
}

function check(schema: Schema<unknown>, value: unknown, name: string): void {
  const fault = value === undefined ? undefined : faultIn(schema, value, name);
  if (fault !== undefined) throw new InvalidScript(fault);
}

const oneOf = (names: readonly string[]) => `choose ${names.length > 1 ? "one of " : ""}${names.join(", ")}`;

const isBlock = (value: unknown) => isJsonObject(value) && typeof value.type === "string";

const isFailure = (value: unknown) =>
  isJsonObject(value) && typeof value.type === "string" && typeof value.message === "string";

/** Whether a value contains everything in a pattern; lists are compared item by item, up to the length of the pattern's list. */
export function fits(pattern: unknown, value: unknown): boolean {
  if (typeof pattern !== "object" || pattern === null) return Object.is(pattern, value);
  if (typeof value !== "object" || value === null) return false;
  if (Array.isArray(pattern) !== Array.isArray(value)) return false;
  const given = value as Readonly<Record<string, unknown>>;
  return Object.entries(pattern).every(([key, part]) => Object.hasOwn(given, key) && fits(part, given[key]));
}
