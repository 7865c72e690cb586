import type { JsonObject } from "@agentwire/protocol";
import type { PermissionDenial, ToolResultBlock } from "@agentwire/protocol/messages";
import { deferred } from "../deferred.ts";
import { type Call, isHarmless } from "./call.ts";
import type { Conversation } from "./conversation.ts";
import { runCall } from "./run-call.ts";
import type { ReportedResult } from "./tool-results.ts";

/** What the tools of a step left behind. */
export interface ToolsEnd {
  readonly results: readonly ToolResultBlock[];
  /** The lines of the transcript that the results are stored as. */
  readonly uuids: readonly string[];
  readonly calls: readonly FinishedCall[];
  readonly denials: readonly PermissionDenial[];
  /** A hook wants the turn to end. */
  readonly stopped: string | undefined;
  /** Text that hooks add for the model. */
  readonly context: readonly string[];
  /** A hook put the call off to a later process. */
  readonly deferred: Call | undefined;
}

/** A call and what came of it, as PostToolBatch hooks get it. */
export type FinishedCall = {
  readonly tool_name: string;
  readonly tool_input: JsonObject;
  readonly tool_use_id: string;
  readonly tool_response: ToolResultBlock["content"] | undefined;
};

/** What the calls of a step collect while they run. */
export interface StepNotes {
  readonly denials: PermissionDenial[];
  readonly context: string[];
  stopped: string | undefined;
  deferred: Call | undefined;
}

interface RunningCall {
  readonly call: Call;
  /** Undefined for a call that is put off. */
  readonly done: Promise<ReportedResult | undefined>;
  readonly isHarmless: boolean;
}

/**
 * Runs the calls of one step, beginning each as soon as the model has finished writing it. Calls that change nothing run side by
 * side; one that may change something waits for all before it, and those after it wait for it.
 */
export class ToolRun {
  readonly #conversation: Conversation;
  readonly #cancelled = new AbortController();
  readonly #signal: AbortSignal;
  readonly #running: RunningCall[] = [];
  /** Settles when no more calls will come. */
  readonly #complete = deferred<void>();
  readonly #notes: StepNotes = { denials: [], context: [], stopped: undefined, deferred: undefined };

  constructor(conversation: Conversation, signal: AbortSignal) {
    this.#conversation = conversation;
    this.#signal = AbortSignal.any([signal, this.#cancelled.signal]);
  }

  get isEmpty(): boolean {
    return this.#running.length === 0;
  }

  /** Begins a call. */
  start(call: Call): void {
    const harmless = isHarmless(call);
    const before = harmless ? this.#running.findLast((other) => !other.isHarmless) : undefined;
    const waitFor = harmless ? (before ? [before.done] : []) : this.#running.map((other) => other.done);
    const isAlone = () => this.#complete.promise.then(() => this.#running.length === 1);
    const run = { conversation: this.#conversation, signal: this.#signal, notes: this.#notes, isAlone };
    const done = Promise.all(waitFor).then(() => runCall(call, run));
    this.#running.push({ call, done, isHarmless: harmless });
  }

  /** Resolves when all calls have ended; no more may be begun. */
  async end(): Promise<ToolsEnd> {
    this.#complete.resolve();
    const reported = await Promise.all(this.#running.map(({ done }) => done));
    const results = reported.map((report) => report?.block);
    const calls = this.#running.map(({ call }, i) => ({
      tool_name: call.name,
      tool_input: call.input,
      tool_use_id: call.id,
      tool_response: results[i]?.content,
    }));
    return {
      ...this.#notes,
      results: results.filter((result) => result !== undefined),
      uuids: reported.flatMap((report) => (report ? [report.uuid] : [])),
      calls,
    };
  }

  /** Ends all calls, for a step that can't continue. */
  async cancel(): Promise<void> {
    this.#cancelled.abort();
    await this.end();
  }
}
