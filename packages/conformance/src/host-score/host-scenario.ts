import type { Exit } from "../agent-driver/agent-process.ts";
import type { Step } from "../scripted-agent/step.ts";
import type { Transcript } from "../transcript.ts";
import type { HostTask } from "./task.ts";

/** One conversation that a host leads with a scripted agent, and what must be true of it. */
export interface HostScenario {
  readonly name: string;
  readonly about: string;
  readonly task: HostTask;
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
export interface HostTheme {
  readonly name: string;
  readonly scenarios: readonly HostScenario[];
}
