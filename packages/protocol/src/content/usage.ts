import { defaulted, object, optional } from "../schema/object.ts";
import { nullable, number, oneOf, string } from "../schema/scalar.ts";
import type { Infer } from "../schema/schema.ts";

const count = defaulted(number, 0);

/** The parts of a usage report that only some answers of the model carry. */
const details = {
  cache_creation: optional(
    nullable(object({ ephemeral_5m_input_tokens: count, ephemeral_1h_input_tokens: count })),
    "cache writes by their lifetime",
  ),
  output_tokens_details: optional(nullable(object({ thinking_tokens: count }))),
  server_tool_use: optional(nullable(object({ web_search_requests: count, web_fetch_requests: count }))),
  service_tier: optional(nullable(string)),
  speed: optional(nullable(string)),
  inference_geo: optional(nullable(string)),
};

/** Tokens spent, as the Messages API counts them; every count is read on its own. */
export const usage = object({
  input_tokens: count,
  output_tokens: count,
  cache_creation_input_tokens: count,
  cache_read_input_tokens: count,
  ...details,
});

/** Tokens spent, as the Messages API counts them; every count is read on its own. */
export type Usage = Infer<typeof usage>;

/** Stands in where a peer reports no usage. */
export const NO_USAGE: Usage = Object.freeze({
  input_tokens: 0,
  output_tokens: 0,
  cache_creation_input_tokens: 0,
  cache_read_input_tokens: 0,
});

/** The running totals in a `message_delta`: a count that is not there has not changed, so it must not read as zero. */
export const usageSoFar = object({
  output_tokens: count,
  input_tokens: optional(nullable(number)),
  cache_creation_input_tokens: optional(nullable(number)),
  cache_read_input_tokens: optional(nullable(number)),
  ...details,
});

/** The running totals in a `message_delta`: a count that is not there has not changed, so it must not read as zero. */
export type UsageSoFar = Infer<typeof usageSoFar>;

/** What one model has cost a session, as `result.modelUsage` reports it; prices and limits may be unknown, which is not zero. */
export const modelUsage = object({
  inputTokens: count,
  outputTokens: count,
  cacheReadInputTokens: count,
  cacheCreationInputTokens: count,
  webSearchRequests: count,
  thinkingTokens: optional(number, "already part of outputTokens"),
  cacheCreationEphemeral5mInputTokens: optional(number, "already part of cacheCreationInputTokens"),
  cacheCreationEphemeral1hInputTokens: optional(number, "already part of cacheCreationInputTokens"),
  costUSD: optional(number),
  contextWindow: optional(number),
  maxOutputTokens: optional(number),
  canonicalModel: optional(string),
  provider: optional(string),
  costBasis: optional(oneOf("list", "managed", "unknown"), "the price table behind costUSD"),
});

/** What one model has cost a session, as `result.modelUsage` reports it; prices and limits may be unknown, which is not zero. */
export type ModelUsage = Infer<typeof modelUsage>;
