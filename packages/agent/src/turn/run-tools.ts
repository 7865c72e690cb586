import type { JsonObject } from "@agentwire/protocol";
import type { PermissionDenial, ToolResultBlock } from "@agentwire/protocol/messages";
import { deferred } from "../deferred.ts";
import { type Call, isHarmless } from "./call.ts";
import type { Conversation } from "./conversation.ts";
import { runCall } from "./run-call.ts";
import type { ReportedResult } from "./tool-results.ts";

/** The combined results of a step's tools. */
export interface ToolsEnd {
  readonly results: readonly ToolResultBlock[];
  /** The transcript lines that store the results. */
  readonly uuids: readonly string[];
  readonly calls: readonly FinishedCall[];
  readonly denials: readonly PermissionDenial[];
  /** Set if a hook wants to end the turn. */
  readonly stopped: string | undefined;
  /** Text that hooks add for the model. */
  readonly context: readonly string[];
  /** The call that a hook deferred to a later process. */
  readonly deferred: Call | undefined;
}

/** A call and its outcome, as PostToolBatch hooks get it. */
export type FinishedCall = {
  readonly tool_name: string;
  readonly tool_input: JsonObject;
  readonly tool_use_id: string;
  readonly tool_response: ToolResultBlock["content"] | undefined;
};

/** Collected while the calls of a step run. */
export interface StepNotes {
  readonly denials: PermissionDenial[];
  readonly context: string[];
  stopped: string | undefined;
  deferred: Call | undefined;
}

interface RunningCall {
  readonly call: Call;
  /** Undefined for a deferred call. */
  readonly done: Promise<ReportedResult | undefined>;
  readonly isHarmless: boolean;
}

/**
 * Runs the calls of one step, each as soon as the model has finished writing it. Calls that change nothing run in parallel; a
 * call that may change something waits for all earlier ones, and later ones wait for it.
 */
export class ToolRun {
  readonly #conversation: Conversation;
  readonly #cancelled = new AbortController();
  readonly #signal: AbortSignal;
  readonly #running: RunningCall[] = [];
  /** Settles when no more calls will be added. */
  readonly #complete = deferred<void>();
  readonly #notes: StepNotes = { denials: [], context: [], stopped: undefined, deferred: undefined };

  constructor(conversation: Conversation, signal: AbortSignal) {
    this.#conversation = conversation;
    this.#signal = AbortSignal.any([signal, this.#cancelled.signal]);
  }

  get isEmpty(): boolean {
    return this.#running.length === 0;
  }

  /** Starts a call. */
  start(call: Call): void {
    const harmless = isHarmless(call);
    const before = harmless ? this.#running.findLast((other) => !other.isHarmless) : undefined;
    const waitFor = harmless ? (before ? [before.done] : []) : this.#running.map((other) => other.done);
    const isAlone = () => this.#complete.promise.then(() => this.#running.length === 1);
    const run = { conversation: this.#conversation, signal: this.#signal, notes: this.#notes, isAlone };
    const done = Promise.all(waitFor).then(() => runCall(call, run));
    this.#running.push({ call, done, isHarmless: harmless });
  }

  /** Resolves when all calls have ended; no more may be started. */
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

  /** Ends all calls of a step that can't continue. */
  async cancel(): Promise<void> {
    this.#cancelled.abort();
    await this.end();
  }
}
