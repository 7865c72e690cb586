import { join } from "node:path";
import type { Script } from "@agentwire/models/script";
import { isJsonObject, type JsonObject } from "@agentwire/protocol";
import {
  type AgentOptions,
  type AgentProcess,
  type AgentTalk,
  follow,
  openProgram,
  startProgram,
} from "../agent-process.ts";
import { newApi, playing } from "../model-source.ts";
import { newPlace, type Place } from "../place.ts";

/** The program, which speaks the miriad dialect, with its folders. */
export interface MiriadAgent extends AgentProcess {
  readonly place: Place;
}

/** The same, inside the test process. */
export interface MiriadTalk extends AgentTalk {
  readonly place: Place;
}

/** The database of the tests, in a folder that does not exist yet. */
export const databaseOf = ({ cwd }: Place) => join(cwd, "data", "agent.db");

/** Starts the program as a miriad host does. */
export function startMiriad(place: Place, options: AgentOptions = {}): MiriadAgent {
  return Object.assign(follow(startProgram(place, asMiriad(place, options))), { place });
}

/** Runs an agent for a miriad host inside the test process. */
export function openMiriad(place: Place, options: AgentOptions = {}): MiriadTalk {
  return Object.assign(openProgram(place, asMiriad(place, options)), { place });
}

const asMiriad = (place: Place, { args = [], env = {} }: AgentOptions): AgentOptions => ({
  args: ["--stdio", "--db", databaseOf(place), ...args],
  env,
});

/** The same, with a model that plays a script. */
export async function startScripted(script: Script, args: readonly string[] = []): Promise<MiriadAgent> {
  const place = await newPlace();
  return startMiriad(place, { args: [...(await playing(place, script)), ...args] });
}

/** The same, inside the test process. */
export async function openScripted(script: Script, args: readonly string[] = []): Promise<MiriadTalk> {
  const place = await newPlace();
  return openMiriad(place, { args: [...(await playing(place, script)), ...args] });
}

/** The program with a model behind an API that records its requests. */
export async function startWithApi(script: Script, args: readonly string[] = []) {
  const { api, place, env } = await besideApi(script);
  return { api, agent: startMiriad(place, { args, env }) };
}

/** The same, inside the test process. */
export async function openWithApi(script: Script, args: readonly string[] = []) {
  const { api, place, env } = await besideApi(script);
  return { api, agent: openMiriad(place, { args, env }) };
}

async function besideApi(script: Script) {
  const api = await newApi(script);
  return { api, place: await newPlace(), env: { ...api.env, CLAUDE_CODE_MAX_RETRIES: "0" } };
}

/** A user message. */
export function user(content: unknown, session_id?: string): JsonObject {
  return { type: "user", message: { role: "user", content }, ...(session_id && { session_id }) };
}

export const INTERRUPT = { type: "control", action: "interrupt" };
export const STATUS = { type: "control", action: "status" };

const SHAPES: Readonly<Record<string, readonly string[]>> = {
  assistant: ["type", "message"],
  result: ["type", "subtype", "duration_ms", "is_error", "num_turns", "session_id", "result", "usage"],
  tool_result: ["type", "subtype", "tool_result"],
  queued: ["type", "subtype", "session_id", "position"],
  injected: ["type", "subtype", "message_count", "content_length"],
  interrupted: ["type", "subtype"],
  error: ["type", "subtype", "message"],
};

/** A line reduced to the fields that miriad-code itself writes, without times. */
export function asDocumented(line: JsonObject): JsonObject {
  const keys = SHAPES[String(line.type)] ?? SHAPES[String(line.subtype)];
  const known = Object.entries(line).filter(([key]) => !keys || keys.includes(key));
  return Object.fromEntries(
    known.map(([key, value]) => {
      if (key === "duration_ms") return [key, typeof value];
      return [key, key === "usage" && isJsonObject(value) ? twoTokens(value) : value];
    }),
  );
}

const twoTokens = ({ input_tokens, output_tokens }: JsonObject) => ({ input_tokens, output_tokens });

/** The kind of a line in a word or two. */
export function inShort(line: JsonObject): string {
  return line.type === "assistant" ? "assistant" : `${line.subtype ?? line.type}`;
}

/** The kinds of all lines of the agent so far. */
export const said = ({ lines }: AgentTalk): readonly string[] => lines.map(inShort);

/** A predicate for lines of a subtype. */
export const of =
  (subtype: string) =>
  (line: JsonObject): boolean =>
    line.subtype === subtype;

/** Waits for a number of results; returns them. */
export async function results(agent: AgentTalk, count: number): Promise<readonly JsonObject[]> {
  const found: JsonObject[] = [];
  let from = 0;
  while (found.length < count) {
    const line = await agent.line(({ type }) => type === "result", from);
    from = agent.lines.indexOf(line) + 1;
    found.push(line);
  }
  return found;
}

/** Closes the host's end; resolves with the exit code of the agent. */
export async function close(agent: AgentTalk): Promise<number | null> {
  agent.input.end();
  return (await agent.ended()).code;
}
