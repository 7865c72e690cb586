import { isJsonObject, type JsonObject } from "@agentwire/protocol";
import { textAt } from "../json-path.ts";
import type { Transcript, TranscriptLine } from "../transcript.ts";

/** One step of a scripted agent; steps run in order. */
export type Step =
  /**
   * Waits for a line of the host that has at least these keys with these values. The values at the paths of `learn` replace
   * `{{name}}` in later lines.
   */
  | { readonly hear: JsonObject; readonly recorded?: JsonObject; readonly learn?: Learn }
  /** Waits for the end of stdin. */
  | { readonly hear: "end" }
  | { readonly say: JsonObject }
  /** Writes a text unchanged: noise between lines or, without a line break, an endless line. */
  | { readonly write: string }
  | { readonly pause: number }
  /** Stops reading and writing without exiting. */
  | { readonly freeze: true }
  | { readonly exit: number }
  | { readonly kill: NodeJS.Signals };

/** The paths of values in a line of the host, by the names under which they are used later. */
export type Learn = Readonly<Record<string, readonly (string | number)[]>>;

/** An invalid script; the message names the position. */
export class ScriptError extends Error {
  override readonly name = "ScriptError";
}

/** Parses a script: each line of the text is a step or a line of a transcript, so that a recording is also a script. */
export function parseScript(text: string): readonly Step[] {
  return text.split("\n").flatMap((line, i) => {
    if (line.trim() === "") return [];
    const step = stepOf(parsed(line, i + 1));
    if (!step) throw new ScriptError(`line ${i + 1} is neither a step nor a line of a transcript`);
    return step;
  });
}

/** The agent's side of a recorded conversation. */
export function stepsOf(transcript: Transcript): readonly Step[] {
  return transcript.flatMap(recordedSteps);
}

const KINDS = ["hear", "say", "write", "pause", "freeze", "exit", "kill"] as const;

function stepOf(value: unknown): readonly Step[] | undefined {
  if (!isJsonObject(value)) return undefined;
  if (value.dir === "in" || value.dir === "out") return recordedSteps(value as unknown as TranscriptLine);
  return isStep(value) ? [value] : undefined;
}

function isStep(value: JsonObject): value is JsonObject & Step {
  const [kind, ...more] = KINDS.filter((name) => Object.hasOwn(value, name));
  if (kind === undefined || more.length > 0) return false;
  const given = value[kind];
  switch (kind) {
    case "hear":
      return (given === "end" || isJsonObject(given)) && isLearn(value.learn);
    case "say":
      return isJsonObject(given);
    case "write":
    case "kill":
      return typeof given === "string";
    case "freeze":
      return given === true;
    default:
      return typeof given === "number" && given >= 0;
  }
}

function isLearn(value: unknown): boolean {
  return value === undefined || (isJsonObject(value) && Object.values(value).every(Array.isArray));
}

/** Only the first process of a scenario is played. */
function recordedSteps({ dir, p, eof, raw, line }: TranscriptLine): readonly Step[] {
  if (p !== undefined && p > 1) return [];
  if (dir === "out") {
    if (raw) return [{ write: `${line}\n` }];
    return isJsonObject(line) ? [{ say: line }] : [];
  }
  if (eof) return [{ hear: "end" }];
  return isJsonObject(line) ? [{ hear: kindOf(line), recorded: line }] : [];
}

/** The fields that a line must share with the recorded one: other hosts use other texts and ids. */
function kindOf(line: JsonObject): JsonObject {
  const type = { type: line.type };
  const subtype = textAt(line, "request", "subtype");
  if (subtype !== undefined) return { ...type, request: { subtype } };
  const answered = textAt(line, "response", "request_id");
  // The agent's requests keep their recorded ids, so the answer to each can be recognized.
  return answered === undefined ? type : { ...type, response: { request_id: answered } };
}

function parsed(line: string, number: number): unknown {
  try {
    return JSON.parse(line);
  } catch (cause) {
    throw new ScriptError(`line ${number} is not JSON`, { cause });
  }
}
