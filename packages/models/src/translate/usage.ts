import { NO_USAGE, type Usage } from "@agentwire/protocol/messages";

/** A provider's token counts in OpenAI's terms: cached tokens are part of the prompt. */
export interface Counts {
  readonly prompt: number;
  readonly completion: number;
  readonly cached: number;
  readonly written: number;
  readonly reasoning: number;
  /** The sum, if the provider reports it. */
  readonly total: number | undefined;
}

/** Converts counts to the Messages API, in which cached tokens are not part of the input. */
export function toUsage({ prompt, completion, cached, written, reasoning, total }: Counts): Usage {
  // Some providers count reasoning separately from the completion.
  const isBeside = reasoning > 0 && total === prompt + completion + reasoning;
  return {
    ...NO_USAGE,
    input_tokens: Math.max(0, prompt - cached - written),
    output_tokens: completion + (isBeside ? reasoning : 0),
    cache_read_input_tokens: cached,
    cache_creation_input_tokens: written,
    ...(reasoning > 0 && { output_tokens_details: { thinking_tokens: reasoning } }),
  };
}

/** Estimate for providers that do not count tokens. */
const CHARACTERS_PER_TOKEN = 4;

/** Estimates the tokens of a text. */
export const estimateTokens = (characters: number): number => Math.ceil(characters / CHARACTERS_PER_TOKEN);

/** Estimates the usage for a provider that does not count: a missing count would look like no cost. */
export const estimatedUsage = (requestCharacters: number, replyCharacters: number): Usage => ({
  ...NO_USAGE,
  input_tokens: estimateTokens(requestCharacters),
  output_tokens: estimateTokens(replyCharacters),
});
