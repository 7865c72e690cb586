import type { Usage } from "@agentwire/protocol/messages";
import type { Prices } from "./provider.ts";

const MILLION = 1_000_000;

/** The cost of a call in US dollars according to a provider's prices. */
export function costByPrices({ input, output, cacheRead, cacheWrite }: Prices, usage: Usage): number {
  return (
    (usage.input_tokens * input +
      usage.output_tokens * output +
      usage.cache_read_input_tokens * (cacheRead ?? input) +
      usage.cache_creation_input_tokens * (cacheWrite ?? input)) /
    MILLION
  );
}
