import { isJsonObject, type JsonObject } from "@agentwire/protocol";
import type { ModelUsage } from "@agentwire/protocol/messages";

/** The type of a line with the cost of the conversation so far. */
export const COST_LINE = "cost-state";

/** What a conversation has used, by model. */
export type SpentByModel = ReadonlyMap<string, ModelUsage>;

/** The line that stores the cost of a conversation for a process that resumes it, in the layout of the official CLI. */
export function costLine(spent: SpentByModel, totalUsd: number | undefined): JsonObject {
  return {
    type: COST_LINE,
    totalCostUSD: totalUsd ?? 0,
    modelUsage: Object.fromEntries(spent),
    hasUnknownModelCost: totalUsd === undefined,
  };
}

/** Reads such a line; invalid counts become zero, and an unknown price stays unknown. */
export function readCostLine({ modelUsage, hasUnknownModelCost }: JsonObject): SpentByModel | undefined {
  if (!isJsonObject(modelUsage)) return undefined;
  const isGuess = hasUnknownModelCost === true;
  return new Map(
    Object.entries(modelUsage).flatMap(([model, used]): [string, ModelUsage][] =>
      isJsonObject(used) ? [[model, readUsage(used, isGuess)]] : [],
    ),
  );
}

function readUsage(used: JsonObject, isGuess: boolean): ModelUsage {
  return {
    inputTokens: count(used.inputTokens),
    outputTokens: count(used.outputTokens),
    cacheReadInputTokens: count(used.cacheReadInputTokens),
    cacheCreationInputTokens: count(used.cacheCreationInputTokens),
    webSearchRequests: count(used.webSearchRequests),
    ...(!isGuess && { costUSD: count(used.costUSD) }),
  };
}

const count = (value: unknown) => (typeof value === "number" && value > 0 ? value : 0);
