import type { ModelError } from "../model-error.ts";

/** A change to requests after a provider has rejected one. */
export type Adaptation =
  | "no-max-tokens"
  | "max-completion-tokens"
  | "no-effort"
  | "no-usage-question"
  | "no-parallel-choice"
  | "no-temperature"
  | "plain-schemas"
  | "no-cache-marks"
  | "no-encrypted-reasoning"
  | "no-cache-key";

/** Patterns that identify the cause of a rejection; the first match that has not been tried applies. */
const REFUSALS: readonly (readonly [RegExp, Adaptation])[] = [
  [/max_tokens.{0,80}max_completion_tokens/is, "max-completion-tokens"],
  [/max_(?:completion_|output_)?tokens|maximum.{0,20}completion tokens/i, "no-max-tokens"],
  [/stream_options|include_usage/i, "no-usage-question"],
  [/reasoning_effort|reasoning\.effort|reasoning effort|'reasoning'/i, "no-effort"],
  [/encrypted_content|encrypted content|'include'/i, "no-encrypted-reasoning"],
  [/parallel_tool_calls/i, "no-parallel-choice"],
  [/temperature|top_p/i, "no-temperature"],
  [/cache_control/i, "no-cache-marks"],
  [/prompt_cache_key/i, "no-cache-key"],
  [/schema|anyOf|oneOf|additionalProperties|json_schema|function_declarations/i, "plain-schemas"],
];

const isRefusal = ({ status, message }: ModelError) =>
  (status === 400 || status === 422) && !/^prompt is too long/.test(message);

/** The adaptation to try after a rejection; undefined if it has another cause or nothing is left to try. */
export function adaptationFor(error: ModelError, made: ReadonlySet<Adaptation>): Adaptation | undefined {
  if (!isRefusal(error)) return undefined;
  return REFUSALS.find(([words, adaptation]) => words.test(error.message) && !made.has(adaptation))?.[1];
}
