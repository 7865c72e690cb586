import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import type { Script } from "@agentwire/models/script";
import type { JsonObject } from "@agentwire/protocol";
import { expect } from "vitest";
import { type AgentOptions, type AgentTalk, openProgram } from "../../agent-process.ts";
import { playing } from "../../model-source.ts";
import { newPlace, type Place } from "../../place.ts";

/** The arguments that a Dart host passes, without the folder. */
export const ARGUMENTS: readonly string[] = [
  "--output-format",
  "stream-json",
  "--input-format",
  "stream-json",
  "--permission-prompt-tool",
  "stdio",
];

/** A program started as the Dart SDK starts it: from another folder, with `--cwd` for the working folder. */
export interface DartTalk extends AgentTalk {
  readonly place: Place;
  /** The folder that `--cwd` names. */
  readonly folder: string;
}

/** Starts the program as the Dart SDK does. */
export async function startDart(options: AgentOptions = {}, script?: Script): Promise<DartTalk> {
  const place = await newPlace();
  const folder = join(place.cwd, "project");
  await mkdir(folder);
  const scripted = script ? await playing(place, script) : [];
  const args = [...ARGUMENTS, "--cwd", folder, ...scripted, ...(options.args ?? [])];
  return { ...openProgram(place, { ...options, args }), place, folder };
}

/** The first line of a Dart host. */
export function initialize(id: string, more: JsonObject = {}): JsonObject {
  const request = {
    subtype: "initialize",
    system_prompt: "optional custom system prompt",
    mcp_servers: {},
    agents: {},
    hooks: {},
    ...more,
  };
  return { type: "control_request", request_id: id, request };
}

/** The first prompt of a session. */
export const create = (content: unknown): JsonObject => ({
  type: "session.create",
  message: { role: "user", content },
});

/** Any later prompt. */
export const send = (content: unknown): JsonObject => ({
  type: "session.send",
  message: { role: "user", content },
});

/** An answer to a question of the agent. */
export const callback = (request_id: unknown, response: JsonObject): JsonObject => ({
  type: "callback.response",
  response: { subtype: "success", request_id, response },
});

/** Whether a line is an error with this code. */
export const isError =
  (code: string) =>
  (line: JsonObject): boolean =>
    line.type === "error" && (line.error as JsonObject).code === code;

/** A short description of a line. */
export function inShort({ type, subtype, error }: JsonObject): unknown {
  if (type === "error") return `error ${(error as JsonObject).code}`;
  return type === "system" || type === "result" ? `${type} ${subtype}` : type;
}

/** Matches a line that has every field of the example with the same type; lists may be longer or empty. */
export function shapedLike(example: string | number | null | readonly unknown[] | JsonObject): unknown {
  if (example === null) return null;
  if (Array.isArray(example)) return expect.any(Array);
  if (typeof example === "string") return expect.any(String);
  if (typeof example === "number") return expect.any(Number);
  const fields = Object.entries(example as Readonly<Record<string, Parameters<typeof shapedLike>[0]>>);
  return expect.objectContaining(Object.fromEntries(fields.map(([key, value]) => [key, shapedLike(value)])));
}
