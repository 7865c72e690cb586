import type { JsonObject } from "@agentwire/protocol";

/**
 * What a host program is asked to do: it reads this as JSON from AGENTWIRE_TASK, drives the agent that AGENTWIRE_AGENT names,
 * prints the text of every result as a line, and ends with 0 unless the session failed.
 */
export interface HostTask {
  /** Sent in order, each after the result of the one before. */
  readonly prompts: readonly string[];
  /** What is answered when a tool asks, by its name; `wait` never answers until the question is withdrawn. */
  readonly permissions?: Readonly<Record<string, JsonObject | "wait">>;
  /** What the hooks answer, by event. */
  readonly hooks?: Readonly<Record<string, JsonObject>>;
  /** Serves an MCP server of that name in the program's own process; its tool `add` adds `a` and `b`. */
  readonly server?: string;
  /** Interrupts when the first message of this type comes. */
  readonly interruptAt?: string;
  /** An agent that is silent for so long in the middle of a turn, or stays so long after its end, is given up. */
  readonly silenceMs?: number;
}
