/** Usage: tokens of four kinds, and their cost if it is known. */
export interface Amount {
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly cacheCreationInputTokens: number;
  readonly cacheReadInputTokens: number;
  /** Undefined if the price is unknown, which is not zero. */
  readonly costUsd: number | undefined;
  /** Whether part of the usage has no known price. */
  readonly isIncomplete: boolean;
}

/** The kinds of tokens that are counted. */
export const TOKEN_KINDS = [
  "inputTokens",
  "outputTokens",
  "cacheCreationInputTokens",
  "cacheReadInputTokens",
] as const;

/** Token counts without a cost. */
export type Tokens = Readonly<Record<(typeof TOKEN_KINDS)[number], number>>;

/** No usage, at no cost. */
export const ZERO: Amount = {
  inputTokens: 0,
  outputTokens: 0,
  cacheCreationInputTokens: 0,
  cacheReadInputTokens: 0,
  costUsd: undefined,
  isIncomplete: false,
};

/** Creates token counts from a function that returns the count of each kind. */
export function tokensOf(count: (kind: keyof Tokens) => number): Tokens {
  return Object.fromEntries(TOKEN_KINDS.map((kind) => [kind, count(kind)])) as Tokens;
}

/** The sum; a missing price on one side makes it incomplete, not unknown. */
export function plus(a: Amount, b: Amount): Amount {
  const costUsd =
    a.costUsd === undefined && b.costUsd === undefined ? undefined : (a.costUsd ?? 0) + (b.costUsd ?? 0);
  return {
    ...tokensOf((kind) => a[kind] + b[kind]),
    costUsd,
    isIncomplete: a.isIncomplete || b.isIncomplete,
  };
}

/** Whether nothing was used and nothing was paid. */
export const isNothing = (amount: Amount): boolean =>
  TOKEN_KINDS.every((kind) => amount[kind] === 0) && !amount.costUsd;
