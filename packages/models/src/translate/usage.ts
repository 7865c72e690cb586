import { NO_USAGE, type Usage } from "@agentwire/protocol/messages";

/** What a provider counted, in the words of OpenAI: cached tokens are part of the prompt. */
export interface Counts {
  readonly prompt: number;
  readonly completion: number;
  readonly cached: number;
  readonly written: number;
  readonly reasoning: number;
  /** All together, where the provider says it. */
  readonly total: number | undefined;
}

/** Counts as the Messages API has them: cached tokens are no part of the input. */
export function toUsage({ prompt, completion, cached, written, reasoning, total }: Counts): Usage {
  // Some count reasoning beside the completion, not in it.
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

/** So many characters are a token, where the provider does not count. */
const CHARACTERS_PER_TOKEN = 4;

/** A guess at what a text takes. */
export const estimateTokens = (characters: number): number => Math.ceil(characters / CHARACTERS_PER_TOKEN);

/** A guess for a provider that counts nothing: no count would read as no cost. */
export const estimatedUsage = (requestCharacters: number, replyCharacters: number): Usage => ({
  ...NO_USAGE,
  input_tokens: estimateTokens(requestCharacters),
  output_tokens: estimateTokens(replyCharacters),
});
