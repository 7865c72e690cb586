import type { Script } from "@agentwire/models/script";
import { isJsonObject, type JsonObject } from "@agentwire/protocol";
import {
  type AgentOptions,
  type AgentProcess,
  type AgentTalk,
  follow,
  openProgram,
  startProgram,
} from "../../agent-process.ts";
import { playing } from "../../model-source.ts";
import { newPlace, type Place } from "../../place.ts";

const RPC = ["--dialect", "jsonrpc"];

/** Starts the program as a JSON-RPC host does. */
export function startRpc(place: Place, { args = [], env = {} }: AgentOptions = {}): AgentProcess {
  return follow(startProgram(place, { args: [...RPC, ...args], env }));
}

/** Starts it in a separate place, with a script as its model. */
export async function startScripted(
  script: Script,
  args: readonly string[] = [],
): Promise<AgentProcess & { readonly place: Place }> {
  const place = await newPlace();
  return { ...startRpc(place, { args: [...(await playing(place, script)), ...args] }), place };
}

/** Runs an agent inside the test for a JSON-RPC host. */
export function openRpc(place: Place, { args = [], env = {} }: AgentOptions = {}): AgentTalk {
  return openProgram(place, { args: [...RPC, ...args], env });
}

/** The same in a separate place, with a script as its model. */
export async function openScripted(
  script: Script,
  args: readonly string[] = [],
): Promise<AgentTalk & { readonly place: Place }> {
  const place = await newPlace();
  return { ...openRpc(place, { args: [...(await playing(place, script)), ...args] }), place };
}

/** A JSON-RPC request. */
export function rpc(id: unknown, method: string, params?: JsonObject): JsonObject {
  return { jsonrpc: "2.0", id, method, ...(params && { params }) };
}

/** A request that runs a prompt. */
export const run = (id: unknown, prompt: unknown, more: JsonObject = {}): JsonObject =>
  rpc(id, "run", { prompt, ...more });

/** The message in a response. */
export const inside = (line: JsonObject): JsonObject => (isJsonObject(line.result) ? line.result : {});

/** Whether a line is a response to this request with a message of this type. */
export const responds =
  (id: unknown, type?: string) =>
  (line: JsonObject): boolean =>
    line.id === id && (type === undefined || inside(line).type === type);

/** Whether a line is the last of this run. */
export const ends = (id: unknown): ((line: JsonObject) => boolean) => responds(id, "result");

/** Whether a line refuses this request. */
export const refuses =
  (id: unknown) =>
  (line: JsonObject): boolean =>
    line.id === id && "error" in line;

/** A short description of a line: `7 assistant`, `7 result cancelled`, `8 error -32001`, `notification result`. */
export function inShort(line: JsonObject): string {
  const who = line.method === "message" ? "notification" : String(line.id);
  if (isJsonObject(line.error)) return `${who} error ${line.error.code}`;
  const { type, subtype } = isJsonObject(line.params) ? line.params : inside(line);
  return [who, type, ...(type === "result" || type === "system" ? [subtype] : [])].join(" ");
}
