import type { JsonObject } from "@agentwire/protocol";
import type { Exit } from "../agent-driver/agent-process.ts";
import type { Step } from "../scripted-agent/step.ts";
import type { Transcript } from "../transcript.ts";

/**
 * What a host program is asked to do: it reads this as JSON from AGENTWIRE_TASK, drives the agent that AGENTWIRE_AGENT names,
 * prints the text of every result as a line, and ends with 0 unless the session failed.
 */
interface HostTask {
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

/** One conversation that a host leads with a scripted agent, and what must be true of it. */
export interface HostScenario<Task extends { readonly prompts: readonly string[] } = HostTask> {
  readonly name: string;
  readonly about: string;
  readonly task: Task;
  readonly script: readonly Step[];
  readonly checks: readonly Check[];
}

/** What came of a scenario. */
export interface HostRun {
  /** What passed between host and agent; `in` is what the host wrote. */
  readonly transcript: Transcript;
  /** What the host printed, line by line. */
  readonly printed: readonly string[];
  readonly exit: Exit | undefined;
  readonly stderr: string;
  /** The commands that had outlived the host. */
  readonly leftOver: readonly string[];
  /** The host did not end by itself. */
  readonly timedOut: boolean;
  readonly ms: number;
}

/** Looks at a run; says what is wrong with it, if anything is. */
export type Check = (run: HostRun) => string | undefined;

/** Scenarios about one subject. */
export interface HostTheme<Task extends { readonly prompts: readonly string[] } = HostTask> {
  readonly name: string;
  readonly scenarios: readonly HostScenario<Task>[];
}
