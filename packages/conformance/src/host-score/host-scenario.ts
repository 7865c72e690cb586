import type { JsonObject } from "@agentwire/protocol";
import type { Exit } from "../agent-driver/agent-process.ts";
import type { Step } from "../scripted-agent/step.ts";
import type { Transcript } from "../transcript.ts";

/**
 * What a host program must do: it reads this as JSON from AGENTWIRE_TASK, drives the agent named by AGENTWIRE_AGENT, prints the
 * text of every result as a line, and exits with 0 unless the session failed.
 */
interface HostTask {
  /** Sent in order, each after the result of the previous one. */
  readonly prompts: readonly string[];
  /** The answers to permission questions, by tool name; `wait` leaves the question unanswered until it is withdrawn. */
  readonly permissions?: Readonly<Record<string, JsonObject | "wait">>;
  /** The answers of the hooks, by event. */
  readonly hooks?: Readonly<Record<string, JsonObject>>;
  /** Serves an MCP server of this name in the program's own process; its tool `add` adds `a` and `b`. */
  readonly server?: string;
  /** Interrupts the turn at the first message of this type. */
  readonly interruptAt?: string;
  /** Gives up an agent that is silent for this long during a turn, or does not exit within this time after its end. */
  readonly silenceMs?: number;
}

/** One conversation of a host with a scripted agent, and the checks for it. */
export interface HostScenario<Task extends { readonly prompts: readonly string[] } = HostTask> {
  readonly name: string;
  readonly about: string;
  readonly task: Task;
  readonly script: readonly Step[];
  readonly checks: readonly Check[];
}

/** The outcome of a scenario. */
export interface HostRun {
  /** The lines between host and agent; `in` is what the host wrote. */
  readonly transcript: Transcript;
  /** The host's output, line by line. */
  readonly printed: readonly string[];
  readonly exit: Exit | undefined;
  readonly stderr: string;
  /** The commands that outlived the host. */
  readonly leftOver: readonly string[];
  /** Whether the host did not end by itself. */
  readonly timedOut: boolean;
  readonly ms: number;
}

/** Checks a run; returns the problem, if any. */
export type Check = (run: HostRun) => string | undefined;

/** Scenarios about one subject. */
export interface HostTheme<Task extends { readonly prompts: readonly string[] } = HostTask> {
  readonly name: string;
  readonly scenarios: readonly HostScenario<Task>[];
}
