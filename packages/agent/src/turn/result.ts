import type { JsonObject } from "@agentwire/protocol";
import type { Notice } from "../host/outlet.ts";
import type { TurnMarks } from "./conversation.ts";
import type { Costs } from "./costs.ts";
import type { TurnEnd } from "./turn-end.ts";

type Result = Extract<Notice, { type: "result" }>;

/** This agent never requests fast mode. */
export const NO_FAST_MODE = {
  fast_mode_state: "off",
  fast_mode_disabled_reason: "sdk_opt_in_required",
} as const;

/** What a result reports besides how the turn ended. */
export interface ResultFacts {
  readonly startedAt: number;
  readonly costs: Costs;
  readonly queued: number;
  /** The index of the result in this process, starting at 0. */
  readonly index: number;
  readonly maxTurns: number | undefined;
  readonly maxBudgetUsd: number | undefined;
  /** When the turn's first request was sent, and when its first token arrived. */
  readonly marks: TurnMarks;
  /** Whether an urgent prompt cut the turn short; that does not count as a failure. */
  readonly preempted: boolean;
  readonly more: JsonObject;
}

const FAILURES: ReadonlyMap<string, string> = new Map([
  ["max_turns", "error_max_turns"],
  ["budget_exhausted", "error_max_budget_usd"],
  ["structured_output_retry_exhausted", "error_max_structured_output_retries"],
]);

/** The single result of a turn. */
export function resultOf(end: TurnEnd, facts: ResultFacts): Result {
  const failed = failureOf(end, facts);
  return {
    type: "result",
    ...(failed ?? {
      subtype: "success",
      is_error: end.error !== undefined,
      result: end.text,
      api_error_status: end.error?.status ?? null,
    }),
    stop_reason: end.stopReason,
    terminal_reason: end.reason,
    num_turns: 1 + end.userMessages,
    ...(end.structured !== undefined && { structured_output: end.structured }),
    ...(end.deferred && {
      deferred_tool_use: { id: end.deferred.id, name: end.deferred.name, input: end.deferred.input },
    }),
    permission_denials: [...end.denials],
    ...common(facts),
  };
}

/** The result of input that needed no model: a slash command, or a prompt that is only to be remembered. */
export function localResult(command: string | undefined, text: string, facts: ResultFacts): Result {
  return {
    type: "result",
    subtype: "success",
    is_error: false,
    result: text,
    ...(command !== undefined && { local_command: command }),
    stop_reason: null,
    num_turns: 0,
    permission_denials: [],
    ...common(facts),
  };
}

/**
 * The result of a turn that did not complete, because of an interrupt before the model was called or because of a bug in the
 * agent.
 */
export function brokenResult(error: string, reason: string | undefined, facts: ResultFacts): Result {
  return {
    type: "result",
    subtype: "error_during_execution",
    is_error: true,
    errors: [error],
    ...(reason !== undefined && { terminal_reason: reason }),
    stop_reason: null,
    num_turns: 0,
    permission_denials: [],
    ...common(facts),
  };
}

function failureOf(
  end: TurnEnd,
  facts: ResultFacts,
): Pick<Result, "subtype" | "is_error" | "errors"> | undefined {
  if (end.reason.startsWith("aborted") && !facts.preempted) {
    const errors = [`The turn was interrupted (${end.reason}, stop_reason=${end.stopReason}).`];
    return { subtype: "error_during_execution", is_error: true, errors };
  }
  const subtype = FAILURES.get(end.reason);
  return subtype === undefined ? undefined : { subtype, is_error: true, errors: [limitReached(end, facts)] };
}

function limitReached({ reason }: TurnEnd, { maxTurns, maxBudgetUsd }: ResultFacts): string {
  if (reason === "max_turns") return `Reached maximum number of turns (${maxTurns})`;
  if (reason === "budget_exhausted") return `Reached maximum budget ($${maxBudgetUsd})`;
  return "The model gave no answer that fits the schema, even after several tries";
}

function common({ startedAt, costs, queued, index, marks, more }: ResultFacts) {
  const total = costs.totalUsd;
  const since = (moment: number) => Math.round(moment - startedAt);
  return {
    duration_ms: Math.round(performance.now() - startedAt),
    duration_api_ms: costs.apiMs,
    ...(total !== undefined && { total_cost_usd: total }),
    usage: costs.turnUsage,
    modelUsage: costs.byModel,
    model_usage_since_last_result: costs.takeSinceResult(),
    ...(marks.heard !== undefined && { ttft_ms: since(marks.heard), ttft_stream_ms: since(marks.heard) }),
    ...(marks.asked !== undefined && { time_to_request_ms: since(marks.asked) }),
    ...NO_FAST_MODE,
    queued_turn_count: queued,
    result_index: index,
    ...more,
  };
}
