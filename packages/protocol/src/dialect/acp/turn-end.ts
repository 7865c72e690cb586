import { randomUUID } from "node:crypto";
import type { StopReason, UsageUpdate } from "@agentclientprotocol/sdk";
import { NO_USAGE, type Usage } from "../../content/usage.ts";
import type { JsonObject } from "../../json.ts";
import { isFailure, type ResultMessage } from "../../messages/result.ts";
import { objectAt } from "../spelling.ts";

/** How a turn ended, in the protocol's terms: a stop reason, or an error text. */
export type Stop = { readonly reason: StopReason } | { readonly error: string };

/** The stop reason or error for a result. */
export function stopOf(result: ResultMessage): Stop {
  if (result.terminal_reason?.startsWith("aborted") || result.subtype === "cancelled")
    return { reason: "cancelled" };
  if (result.subtype === "error_max_turns") return { reason: "max_turn_requests" };
  if (result.stop_reason === "max_tokens") return { reason: "max_tokens" };
  if (result.stop_reason === "refusal") return { reason: "refusal" };
  if (!isFailure(result)) return { reason: "end_turn" };
  const errors = result.errors ?? [];
  return { error: errors.length > 0 ? errors.join("\n") : (result.result ?? "the turn failed") };
}

/** The fields of a canonical result for a stop reason. */
export function endOf(
  reason: unknown,
): Pick<ResultMessage, "subtype" | "is_error" | "terminal_reason" | "stop_reason" | "errors"> {
  switch (reason) {
    case "cancelled":
      return failed("aborted_streaming", ["The turn was interrupted."]);
    case "max_turn_requests":
      return {
        ...failed("max_turns", ["The agent reached its maximum number of model requests."]),
        subtype: "error_max_turns",
      };
    case "max_tokens":
    case "refusal":
      return { subtype: "success", is_error: false, terminal_reason: "completed", stop_reason: reason };
    default:
      return { subtype: "success", is_error: false, terminal_reason: "completed", stop_reason: "end_turn" };
  }
}

const failed = (terminal_reason: string, errors: string[]) =>
  ({
    subtype: "error_during_execution",
    is_error: true,
    terminal_reason,
    stop_reason: null,
    errors,
  }) as const;

/** The fields of a result for a turn that failed altogether. */
export const brokenEnd = (error: string) => failed("model_error", [error]);

/** The context usage that a result reports; undefined if the size of the model's context is unknown. */
export function usageUpdate({
  usage,
  modelUsage,
  total_cost_usd: cost,
}: ResultMessage): UsageUpdate | undefined {
  const size = Math.max(0, ...Object.values(modelUsage).map(({ contextWindow = 0 }) => contextWindow));
  if (size === 0) return undefined;
  const used =
    usage.input_tokens +
    usage.cache_read_input_tokens +
    usage.cache_creation_input_tokens +
    usage.output_tokens;
  return { used, size, ...(cost !== undefined && { cost: { amount: cost, currency: "USD" } }) };
}

/** The tokens that the answer to a prompt reports, if the agent counts them. */
export function usageOf(response: JsonObject): Usage {
  const told = objectAt(response, "usage");
  const count = (name: string) => (typeof told[name] === "number" ? (told[name] as number) : 0);
  return {
    ...NO_USAGE,
    input_tokens: count("inputTokens"),
    output_tokens: count("outputTokens"),
    cache_read_input_tokens: count("cachedReadTokens"),
    cache_creation_input_tokens: count("cachedWriteTokens"),
  };
}

/** The parts of a canonical result. */
export interface EndedTurn {
  /** The answer to the prompt, or the error in its place. */
  readonly end: JsonObject;
  readonly text: string;
  readonly model: string;
  /** The last usage update of the session. */
  readonly usage: JsonObject;
  readonly durationMs: number;
  readonly sessionId: string;
  readonly promptId: string | undefined;
}

/** The result of a turn. */
export function resultFor(turn: EndedTurn): ResultMessage {
  const { end, text, model, usage, sessionId: session_id, promptId } = turn;
  const how = typeof end.error === "string" ? brokenEnd(end.error) : endOf(end.stopReason);
  const used = usageOf(end);
  const { amount, currency } = objectAt(usage, "cost");
  const { size } = usage;
  return {
    type: "result",
    ...how,
    ...(!how.is_error && { result: text }),
    duration_ms: Math.round(turn.durationMs),
    duration_api_ms: 0,
    num_turns: 1,
    ...(typeof amount === "number" && currency === "USD" && { total_cost_usd: amount }),
    usage: used,
    modelUsage: {
      ...(typeof size === "number" && {
        [model || "unknown"]: {
          inputTokens: used.input_tokens,
          outputTokens: used.output_tokens,
          cacheReadInputTokens: used.cache_read_input_tokens,
          cacheCreationInputTokens: used.cache_creation_input_tokens,
          webSearchRequests: 0,
          contextWindow: size,
        },
      }),
    },
    permission_denials: [],
    ...(promptId !== undefined && { user_message_uuid: promptId, user_message_uuids: [promptId] }),
    uuid: randomUUID(),
    session_id,
  };
}
