import { defaulted, object, optional } from "../schema/object.ts";
import { nullable, number, oneOf, string } from "../schema/scalar.ts";
import type { Infer } from "../schema/schema.ts";

const count = defaulted(number, 0);

/** The parts of a usage report that only some of the model's replies have. */
const details = {
  cache_creation: optional(
    nullable(object({ ephemeral_5m_input_tokens: count, ephemeral_1h_input_tokens: count })),
    "cache writes by lifetime",
  ),
  output_tokens_details: optional(nullable(object({ thinking_tokens: count }))),
  server_tool_use: optional(nullable(object({ web_search_requests: count, web_fetch_requests: count }))),
  service_tier: optional(nullable(string)),
  speed: optional(nullable(string)),
  inference_geo: optional(nullable(string)),
};

/** Tokens used, as the Messages API counts them; each count is read independently. */
export const usage = object({
  input_tokens: count,
  output_tokens: count,
  cache_creation_input_tokens: count,
  cache_read_input_tokens: count,
  ...details,
});

/** Tokens used, as the Messages API counts them; each count is read independently. */
export type Usage = Infer<typeof usage>;

/** The usage to assume if a peer reports none. */
export const NO_USAGE: Usage = Object.freeze({
  input_tokens: 0,
  output_tokens: 0,
  cache_creation_input_tokens: 0,
  cache_read_input_tokens: 0,
});

/** The running totals in a `message_delta`: an absent count has not changed, so it must not read as zero. */
export const usageSoFar = object({
  output_tokens: count,
  input_tokens: optional(nullable(number)),
  cache_creation_input_tokens: optional(nullable(number)),
  cache_read_input_tokens: optional(nullable(number)),
  ...details,
});

/** The running totals in a `message_delta`: an absent count has not changed, so it must not read as zero. */
export type UsageSoFar = Infer<typeof usageSoFar>;

/**
 * What one model has cost a session, as `result.modelUsage` reports it; prices and limits may be unknown,
 * which is not zero.
 */
export const modelUsage = object({
  inputTokens: count,
  outputTokens: count,
  cacheReadInputTokens: count,
  cacheCreationInputTokens: count,
  webSearchRequests: count,
  thinkingTokens: optional(number, "included in outputTokens"),
  cacheCreationEphemeral5mInputTokens: optional(number, "included in cacheCreationInputTokens"),
  cacheCreationEphemeral1hInputTokens: optional(number, "included in cacheCreationInputTokens"),
  costUSD: optional(number),
  contextWindow: optional(number),
  maxOutputTokens: optional(number),
  canonicalModel: optional(string),
  provider: optional(string),
  costBasis: optional(oneOf("list", "managed", "unknown"), "the price table that costUSD is based on"),
});

/**
 * What one model has cost a session, as `result.modelUsage` reports it; prices and limits may be unknown,
 * which is not zero.
 */
export type ModelUsage = Infer<typeof modelUsage>;
