/** What the provider publishes about a model; prices in US dollars per million tokens. */
export interface ModelEntry {
  readonly name: string;
  readonly input: number;
  readonly output: number;
  readonly cacheWrite5m: number;
  readonly cacheWrite1h: number;
  readonly cacheRead: number;
  /** The factor on the prices of a call whose prompt is longer than `above` tokens. */
  readonly longPrompt?: { readonly above: number; readonly factor: number };
  readonly contextWindow: number;
  readonly maxOutputTokens: number;
  /** How many of them a call requests, if not the usual number. */
  readonly replyTokens?: number;
  /** How thinking is requested: adaptively or with a budget. Undefined for a model without thinking. */
  readonly thinks?: "adaptive" | "budget";
  /** The model rejects calls that disable thinking. */
  readonly alwaysThinks?: true;
}

/** For every model, a cache write costs the same multiple of the input price. */
const priced = (input: number, output: number, cacheRead: number) => ({
  input,
  output,
  cacheWrite5m: input * 1.25,
  cacheWrite1h: input * 2,
  cacheRead,
});

const MILLION = {
  contextWindow: 1_000_000,
  maxOutputTokens: 128_000,
  replyTokens: 64_000,
  thinks: "adaptive",
} as const;
const NEWEST = { ...MILLION, replyTokens: 128_000 } as const;
const SMALL = { contextWindow: 200_000, maxOutputTokens: 32_000 } as const;
const SMALL_THINKER = { ...SMALL, thinks: "budget" } as const;

/** Models by name, list prices as of November 2026; a dated name such as `claude-haiku-4-5-20251001` means the same model. */
export const PRICE_LIST: readonly ModelEntry[] = [
  { name: "claude-fable-5-2", ...priced(8, 40, 0.2), ...NEWEST, alwaysThinks: true },
  { name: "claude-mythos-5-2", ...priced(8, 40, 0.2), ...NEWEST, alwaysThinks: true },
  { name: "claude-fable-5-1", ...priced(10, 50, 0.25), ...MILLION, alwaysThinks: true },
  { name: "claude-mythos-5-1", ...priced(10, 50, 0.25), ...MILLION, alwaysThinks: true },
  { name: "claude-fable-5", ...priced(10, 50, 1), ...MILLION, alwaysThinks: true },
  { name: "claude-mythos-5", ...priced(10, 50, 1), ...MILLION, alwaysThinks: true },
  { name: "claude-opus-5-5", ...priced(4, 20, 0.2), ...NEWEST, alwaysThinks: true },
  { name: "claude-opus-5", ...priced(5, 25, 0.5), ...MILLION },
  { name: "claude-opus-4-8", ...priced(5, 25, 0.5), ...MILLION },
  { name: "claude-opus-4-7", ...priced(5, 25, 0.5), ...MILLION },
  { name: "claude-opus-4-6", ...priced(5, 25, 0.5), ...MILLION },
  { name: "claude-opus-4-5", ...priced(5, 25, 0.5), ...SMALL_THINKER },
  { name: "claude-opus-4-1", ...priced(15, 75, 1.5), ...SMALL_THINKER },
  { name: "claude-opus-4", ...priced(15, 75, 1.5), ...SMALL_THINKER },
  { name: "claude-sonnet-5-5", ...priced(2, 10, 0.2), ...NEWEST, alwaysThinks: true },
  { name: "claude-sonnet-5", ...priced(2, 10, 0.2), ...MILLION },
  {
    name: "claude-sonnet-4-6",
    ...priced(3, 15, 0.3),
    contextWindow: 1_000_000,
    maxOutputTokens: 64_000,
    thinks: "adaptive",
  },
  { name: "claude-sonnet-4-5", ...priced(3, 15, 0.3), ...SMALL_THINKER },
  { name: "claude-sonnet-4", ...priced(3, 15, 0.3), ...SMALL_THINKER },
  { name: "claude-3-7-sonnet", ...priced(3, 15, 0.3), ...SMALL },
  {
    name: "claude-haiku-5-5",
    ...priced(0.1, 0.5, 0.01),
    longPrompt: { above: 100_000, factor: 5 },
    ...NEWEST,
  },
  { name: "claude-haiku-4-5", ...priced(1, 5, 0.1), ...SMALL_THINKER, maxOutputTokens: 64_000 },
  { name: "claude-3-5-haiku", ...priced(0.8, 4, 0.08), contextWindow: 200_000, maxOutputTokens: 8_192 },
  { name: "offline-demo", ...priced(0, 0, 0), ...SMALL },
];

/** The short names that people type, and the model that each currently refers to. */
export const ALIASES: ReadonlyMap<string, string> = new Map([
  ["default", "claude-opus-5-5"],
  ["opus", "claude-opus-5-5"],
  ["fable", "claude-fable-5-2"],
  ["sonnet", "claude-sonnet-5-5"],
  ["haiku", "claude-haiku-5-5"],
]);

/** The price of one web search that the provider makes, in US dollars. */
export const WEB_SEARCH_USD = 0.01;

const ENTRIES: ReadonlyMap<string, ModelEntry> = new Map(PRICE_LIST.map((entry) => [entry.name, entry]));

/** Gateways and clouds decorate the name: `us.anthropic.claude-opus-4-5-20251101-v1:0`, `claude-opus-4@20250514`, `…[1m]`. */
const DECORATED = /(claude-[a-z0-9-]+?)(?:[-@]\d{8})?(?:-v\d+(?::\d+)?)?(?:\[\w+\])?$/;

/** No model name is longer than this; limits the cost of the regular expression. */
const MAX_NAME_LENGTH = 200;

/** The published facts about a Claude model, by its full name in any spelling; undefined if it is not listed. */
export function claudeEntry(name: string): ModelEntry | undefined {
  const full = name.slice(0, MAX_NAME_LENGTH);
  return ENTRIES.get(full) ?? ENTRIES.get(DECORATED.exec(full)?.[1] ?? "");
}
