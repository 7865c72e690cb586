import { countAt, listAt, objectAt, textAt } from "../json.ts";
import type { ModelFacts, Prices } from "./provider.ts";

/** A model from a provider's list; facts that the list does not contain are undefined. */
export interface ListedModel extends Omit<ModelFacts, "tools"> {
  /** The provider's name for it. */
  readonly id: string;
  /** When it was created, in seconds. */
  readonly created: number | undefined;
  readonly callsTools: boolean | undefined;
  readonly thinks: boolean | undefined;
}

/** Reads one entry of a provider's list, in the format of OpenRouter, Mistral, Anthropic, Groq or vLLM. */
export function toListed(given: unknown): ListedModel[] {
  // Gemini prefixes each name with its collection.
  const id = textAt(given, "id")?.replace(/^models\//, "");
  if (id === undefined) return [];
  const takes = textsAt(objectAt(given, "architecture"), "input_modalities");
  const parameters = textsAt(given, "supported_parameters");
  const can = objectAt(given, "capabilities");
  return [
    {
      id,
      created: countAt(given, "created") ?? secondsOf(textAt(given, "created_at")),
      contextWindow: firstCount(given, CONTEXT),
      maxOutputTokens:
        firstCount(given, REPLY) ?? countAt(objectAt(given, "top_provider"), "max_completion_tokens"),
      prices: pricesOf(objectAt(given, "pricing")),
      images: takes?.includes("image") ?? supports(can, "image_input") ?? flag(can, "vision"),
      documents: takes?.includes("file") ?? supports(can, "pdf_input"),
      callsTools: parameters?.includes("tools") ?? flag(can, "function_calling"),
      thinks: parameters?.includes("reasoning") ?? supports(can, "thinking"),
    },
  ];
}

const CONTEXT = [
  "context_length",
  "max_model_len",
  "context_window",
  "max_context_length",
  "max_input_tokens",
];
const REPLY = ["max_completion_tokens", "max_tokens"];

const firstCount = (given: unknown, keys: readonly string[]) =>
  keys.map((key) => countAt(given, key)).find((count) => count !== undefined && count > 0);

/** A list of strings; undefined if missing, as opposed to empty. */
function textsAt(given: unknown, key: string): readonly unknown[] | undefined {
  const list = listAt(given, key);
  return list.length > 0 ? list : undefined;
}

const secondsOf = (time = "") => (Number.isNaN(Date.parse(time)) ? undefined : Date.parse(time) / 1000);

const flag = (given: unknown, key: string) => {
  const value = (given as Readonly<Record<string, unknown>>)[key];
  return typeof value === "boolean" ? value : undefined;
};

/** Anthropic's format for booleans. */
const supports = (can: unknown, key: string) => flag(objectAt(can, key), "supported");

const MILLION = 1_000_000;

/** OpenRouter's prices, as strings in US dollars per token; a negative price means that it varies. */
function pricesOf(pricing: unknown): Prices | undefined {
  const at = (key: string) => {
    const usd = Number(textAt(pricing, key) ?? Number.NaN);
    // Removes the floating-point digits of the multiplication.
    return usd >= 0 ? Number((usd * MILLION).toPrecision(12)) : undefined;
  };
  const [input, output] = [at("prompt"), at("completion")];
  if (input === undefined || output === undefined) return undefined;
  return { input, output, cacheRead: at("input_cache_read"), cacheWrite: at("input_cache_write") };
}
