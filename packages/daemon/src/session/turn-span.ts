import type { Amount } from "../store/amount.ts";
import type { SessionRecord } from "../store/session-record.ts";
import type { TraceContext } from "../tracing/trace-context.ts";
import type { Tracing, TurnFacts, TurnTrace } from "../tracing/tracing.ts";
import type { Prompt } from "./prompts.ts";

/** The trace span of a session's running turn. */
export class TurnSpan {
  readonly #tracing: Tracing;
  #open: TurnTrace | undefined;

  constructor(tracing: Tracing) {
    this.#tracing = tracing;
  }

  /** Starts the span of a turn, unless one is running, which the prompt then joins; returns the context for its agent. */
  begin(prompt: Prompt | undefined, { id, agent, model }: SessionRecord): TraceContext | undefined {
    const facts = { "agentwire.session_id": id, "agentwire.agent": agent, "agentwire.model": model };
    this.#open ??= this.#tracing(prompt?.trace, facts);
    return this.#open.context;
  }

  ended({ costUsd, inputTokens, outputTokens }: Amount, isFailure: boolean): void {
    const facts = {
      "agentwire.input_tokens": inputTokens,
      "agentwire.output_tokens": outputTokens,
      ...(costUsd !== undefined && { "agentwire.cost_usd": costUsd }),
    };
    this.#end(facts, isFailure ? "the turn failed" : undefined);
  }

  /** The process has ended, or the turn is no longer wanted. */
  brokenOff(reason: string): void {
    this.#end({}, reason);
  }

  #end(facts: TurnFacts, failure: string | undefined): void {
    this.#open?.end(facts, failure);
    this.#open = undefined;
  }
}
