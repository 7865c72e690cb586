import type { JsonObject } from "@agentwire/protocol";

/** Room for the next reply and for the summary itself. */
const RESERVED_TOKENS = 33_000;
/** Keeps the reserve from filling a small window. */
const MAX_RESERVED_SHARE = 0.2;

/** How much of the context window a model call used, as counted by the provider. */
export function contextTokens(usage: JsonObject): number {
  return (
    count(usage.input_tokens) +
    count(usage.cache_creation_input_tokens) +
    count(usage.cache_read_input_tokens) +
    count(usage.output_tokens)
  );
}

/** Whether a conversation of this many tokens should be summarized before its next model call. */
export function shouldCompact(tokens: number, contextWindow: number): boolean {
  return tokens >= contextWindow - Math.min(RESERVED_TOKENS, contextWindow * MAX_RESERVED_SHARE);
}

const count = (value: unknown) => (typeof value === "number" && value > 0 ? value : 0);
