import type { JsonObject } from "@agentwire/protocol";
import { show } from "../compare/compare.ts";
import { at } from "../json-path.ts";
import type { TalkApi, TalkReply } from "../scripted-api/talk-api.ts";
import { Problem, type ScriptedClient } from "./scripted-client.ts";

/** What a scenario works with. */
export interface AcpStage {
  readonly client: ScriptedClient;
  /** The requests that reached the model. */
  readonly api: Pick<TalkApi, "turns">;
  /** The working folder of the sessions. */
  readonly cwd: string;
  /** Whether a file of that folder exists. */
  exists(file: string): boolean;
  /** Initializes the agent once, and logs in if the command line asks for that; returns the agent's answer. */
  greet(): Promise<JsonObject>;
  /** Creates a session of the initialized agent; returns its id. */
  begin(): Promise<string>;
  /** A client that has initialized another process of the agent, in the same home. */
  another(): Promise<ScriptedClient>;
}

/** One conversation with an agent of the Agent Client Protocol; throws a `Problem` if the agent misbehaves. */
export interface AcpScenario {
  readonly name: string;
  readonly about: string;
  /** The model's replies, by a word of the prompt. */
  readonly replies?: Readonly<Record<string, TalkReply>>;
  /** The client deliberately writes something that is not a message. */
  readonly isRude?: true;
  play(stage: AcpStage): Promise<void>;
}

/** Scenarios about one subject. */
export interface AcpTheme {
  readonly name: string;
  readonly scenarios: readonly AcpScenario[];
}

/** The error code for a method that an agent does not have. */
export const NO_METHOD = -32601;

/** Throws unless a condition holds. */
export function must(isSo: boolean, problem: string): asserts isSo {
  if (!isSo) throw new Problem(problem);
}

/** Throws unless a value is the expected one. */
export function mustBe(what: string, value: unknown, wanted: unknown): void {
  must(JSON.stringify(value) === JSON.stringify(wanted), `${what} is ${show(value)}, not ${show(wanted)}`);
}

/** A capability of an agent, by its path; undefined if the agent lacks it. */
export function capability(greeting: JsonObject, ...path: readonly string[]): unknown {
  const found = at(greeting, "agentCapabilities", ...path);
  return found === false || found === null ? undefined : found;
}
