import type { Usage } from "@agentwire/api";

/** The usage of a turn as text; empty if there is none. */
export function printUsage({
  inputTokens,
  cacheCreationInputTokens,
  cacheReadInputTokens,
  outputTokens,
  costUsd,
  costIncomplete,
}: Usage): string {
  const input = inputTokens + cacheCreationInputTokens + cacheReadInputTokens;
  if (input === 0n && outputTokens === 0n) return "";
  const tokens = `${input.toLocaleString("en")} tokens in, ${outputTokens.toLocaleString("en")} out`;
  return costUsd === undefined ? tokens : `${tokens}, ${printSpent({ costUsd, costIncomplete })}`;
}

/** A cost as text: a question mark if unknown, a plus sign if only partly known. */
export function printSpent({ costUsd, costIncomplete }: Pick<Usage, "costUsd" | "costIncomplete">): string {
  if (costUsd === undefined) return costIncomplete ? "?" : printCost(0);
  return `${printCost(costUsd)}${costIncomplete ? "+" : ""}`;
}

/** A token count in abbreviated form. */
export function printTokens(tokens: number | bigint): string {
  const count = Number(tokens);
  if (count < 1000) return String(count);
  return count < 1_000_000 ? `${rounded(count / 1000)}k` : `${rounded(count / 1_000_000)}M`;
}

const rounded = (count: number) => String(Number(count.toFixed(count < 10 ? 1 : 0)));

/** An amount of money, with as many digits as it needs. */
export const printCost = (usd: number): string => `$${usd.toFixed(usd < 0.1 ? 4 : 2)}`;
