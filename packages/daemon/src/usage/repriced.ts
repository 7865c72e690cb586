import type { ModelUsage, ResultMessage } from "@agentwire/protocol/messages";
import type { Tokens } from "../store/amount.ts";

/** The cost of a model's tokens; undefined if its price is unknown. */
type CostOf = (model: string, tokens: Tokens) => number | undefined;

/**
 * Replaces the costs in a result by those of the providers that answered. An agent that does not know their models reports
 * the cost of some Claude model.
 */
export function repriced(result: ResultMessage, costOf: CostOf): ResultMessage {
  const { total_cost_usd: _, modelUsage, model_usage_since_last_result: since, ...rest } = result;
  const models = priced(modelUsage, costOf);
  const costs = Object.values(models).map(({ costUSD }) => costUSD);
  const isKnown = costs.length > 0 && costs.every((cost) => cost !== undefined);
  return {
    ...rest,
    modelUsage: models,
    ...(since && { model_usage_since_last_result: priced(since, costOf) }),
    ...(isKnown && { total_cost_usd: costs.reduce<number>((sum, cost) => sum + (cost ?? 0), 0) }),
  };
}

function priced(models: Readonly<Record<string, ModelUsage>>, costOf: CostOf): Record<string, ModelUsage> {
  return Object.fromEntries(
    Object.entries(models).map(([name, { costUSD: _, costBasis: __, ...usage }]) => {
      const cost = costOf(name, usage);
      return [name, { ...usage, ...(cost !== undefined && { costUSD: cost }) }];
    }),
  );
}
