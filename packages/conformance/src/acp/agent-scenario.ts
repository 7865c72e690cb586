import type { JsonObject } from "@agentwire/protocol";
import { show } from "../compare/compare.ts";
import { at } from "../json-path.ts";
import type { TalkApi, TalkReply } from "../scripted-api/talk-api.ts";
import { Problem, type ScriptedClient } from "./scripted-client.ts";

/** What a scenario works with. */
export interface AcpStage {
  readonly client: ScriptedClient;
  /** What the model was asked. */
  readonly api: Pick<TalkApi, "turns">;
  /** The folder of the sessions. */
  readonly cwd: string;
  /** Whether a file of that folder exists. */
  exists(file: string): boolean;
  /** Greets the agent and logs in as the command line says, once; gives what the agent says of itself. */
  greet(): Promise<JsonObject>;
  /** Begins a session of an agent that is greeted; gives its id. */
  begin(): Promise<string>;
  /** A client that has greeted another process of the agent, in the same home. */
  another(): Promise<ScriptedClient>;
}

/** One conversation with an agent of the Agent Client Protocol; it throws a `Problem` where the agent does something else. */
export interface AcpScenario {
  readonly name: string;
  readonly about: string;
  /** What the model answers, by a word of the prompt. */
  readonly replies?: Readonly<Record<string, TalkReply>>;
  /** The client writes what is no message, on purpose. */
  readonly isRude?: true;
  play(stage: AcpStage): Promise<void>;
}

/** Scenarios about one subject. */
export interface AcpTheme {
  readonly name: string;
  readonly scenarios: readonly AcpScenario[];
}

/** The code of an error for a method that an agent does not have. */
export const NO_METHOD = -32601;

/** Throws unless something is so. */
export function must(isSo: boolean, problem: string): asserts isSo {
  if (!isSo) throw new Problem(problem);
}

/** Throws unless a value is this one. */
export function mustBe(what: string, value: unknown, wanted: unknown): void {
  must(JSON.stringify(value) === JSON.stringify(wanted), `${what} is ${show(value)}, not ${show(wanted)}`);
}

/** A capability of an agent, by its path; undefined where it does not have it. */
export function capability(greeting: JsonObject, ...path: readonly string[]): unknown {
  const found = at(greeting, "agentCapabilities", ...path);
  return found === false || found === null ? undefined : found;
}
