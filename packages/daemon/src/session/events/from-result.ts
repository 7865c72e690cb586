import { isFailure, type ModelUsage, type ResultMessage, type Usage } from "@agentwire/protocol";
import type { Draft } from "./draft.ts";

/** What a turn took, then that it is over. */
export function fromResult(message: ResultMessage, promptIds: readonly string[]): readonly Draft[] {
  return [
    { body: { case: "usageReport", value: reportOf(message) } },
    {
      body: {
        case: "turnComplete",
        value: {
          subtype: message.subtype,
          isError: isFailure(message),
          text: message.result ?? "",
          errors: message.errors ?? [],
          durationMs: whole(message.duration_ms),
          numTurns: Math.max(0, Math.round(message.num_turns)),
          terminalReason: message.terminal_reason ?? "",
          structuredOutputJson:
            message.structured_output === undefined ? "" : JSON.stringify(message.structured_output),
          promptIds: [...promptIds],
        },
      },
    },
  ];
}

function reportOf({ usage, modelUsage, total_cost_usd }: ResultMessage) {
  const models = Object.entries(modelUsage).map(([model, used]) => ({ model, usage: ofModel(used) }));
  const sum = (pick: (used: ModelUsage) => number) =>
    whole(Object.values(modelUsage).reduce((total, used) => total + pick(used), 0));
  return {
    turn: ofTurn(usage),
    session: {
      inputTokens: sum((used) => used.inputTokens),
      outputTokens: sum((used) => used.outputTokens),
      cacheCreationInputTokens: sum((used) => used.cacheCreationInputTokens),
      cacheReadInputTokens: sum((used) => used.cacheReadInputTokens),
      ...cost(total_cost_usd),
    },
    models,
  };
}

const ofTurn = (usage: Usage) => ({
  inputTokens: whole(usage.input_tokens),
  outputTokens: whole(usage.output_tokens),
  cacheCreationInputTokens: whole(usage.cache_creation_input_tokens),
  cacheReadInputTokens: whole(usage.cache_read_input_tokens),
});

const ofModel = (used: ModelUsage) => ({
  inputTokens: whole(used.inputTokens),
  outputTokens: whole(used.outputTokens),
  cacheCreationInputTokens: whole(used.cacheCreationInputTokens),
  cacheReadInputTokens: whole(used.cacheReadInputTokens),
  ...cost(used.costUSD),
});

/** Unknown is not zero. */
const cost = (usd: number | undefined) => (usd === undefined ? {} : { costUsd: usd });

/** A peer's figure as the contract counts. */
const whole = (value: number) => BigInt(Math.max(0, Math.round(Number.isFinite(value) ? value : 0)));
