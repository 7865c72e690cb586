import { isJsonObject, type JsonObject } from "@agentwire/protocol";
import { textAt } from "../json-path.ts";
import type { Transcript, TranscriptLine } from "../transcript.ts";

/** One thing that a scripted agent does, in order. */
export type Step =
  /**
   * Waits for a line of the host that has these keys with these values, whatever else it has. What stands at the paths of `learn`
   * takes the place of `{{name}}` in what is said later.
   */
  | { readonly hear: JsonObject; readonly recorded?: JsonObject; readonly learn?: Learn }
  /** Waits for the end of stdin. */
  | { readonly hear: "end" }
  | { readonly say: JsonObject }
  /** Writes a text as it is: noise between lines, or with no line break a line that never ends. */
  | { readonly write: string }
  | { readonly pause: number }
  /** Neither reads nor writes any more, but stays. */
  | { readonly freeze: true }
  | { readonly exit: number }
  | { readonly kill: NodeJS.Signals };

/** Where in a line of the host something stands that is said later, by name. */
export type Learn = Readonly<Record<string, readonly (string | number)[]>>;

/** A script that makes no sense; the text says where. */
export class ScriptError extends Error {
  override readonly name = "ScriptError";
}

/** Reads a script: one step or one line of a transcript in each line of the text, so that a recording is a script. */
export function parseScript(text: string): readonly Step[] {
  return text.split("\n").flatMap((line, i) => {
    if (line.trim() === "") return [];
    const step = stepOf(parsed(line, i + 1));
    if (!step) throw new ScriptError(`line ${i + 1} is neither a step nor a line of a transcript`);
    return step;
  });
}

/** The agent's part of a recorded talk. */
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

/** Of a scenario with several processes, the first is played. */
function recordedSteps({ dir, p, eof, raw, line }: TranscriptLine): readonly Step[] {
  if (p !== undefined && p > 1) return [];
  if (dir === "out") {
    if (raw) return [{ write: `${line}\n` }];
    return isJsonObject(line) ? [{ say: line }] : [];
  }
  if (eof) return [{ hear: "end" }];
  return isJsonObject(line) ? [{ hear: kindOf(line), recorded: line }] : [];
}

/** What a line must have in common with the recorded one: another host has other words and other ids. */
function kindOf(line: JsonObject): JsonObject {
  const type = { type: line.type };
  const subtype = textAt(line, "request", "subtype");
  if (subtype !== undefined) return { ...type, request: { subtype } };
  const answered = textAt(line, "response", "request_id");
  // Our own requests keep their recorded ids, so the answer to each is known.
  return answered === undefined ? type : { ...type, response: { request_id: answered } };
}

function parsed(line: string, number: number): unknown {
  try {
    return JSON.parse(line);
  } catch (cause) {
    throw new ScriptError(`line ${number} is not JSON`, { cause });
  }
}
