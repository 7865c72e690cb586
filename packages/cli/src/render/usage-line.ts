import type { Usage } from "@agentwire/api";

/** What a turn took, in words; empty if nothing was counted. */
export function printUsage({
  inputTokens,
  cacheCreationInputTokens,
  cacheReadInputTokens,
  outputTokens,
  costUsd,
}: Usage): string {
  const input = inputTokens + cacheCreationInputTokens + cacheReadInputTokens;
  if (input === 0n && outputTokens === 0n) return "";
  const tokens = `${input.toLocaleString("en")} tokens in, ${outputTokens.toLocaleString("en")} out`;
  return costUsd === undefined ? tokens : `${tokens}, ${printCost(costUsd)}`;
}

/** An amount of money, with as many digits as it needs. */
export const printCost = (usd: number): string => `$${usd.toFixed(usd < 0.1 ? 4 : 2)}`;
