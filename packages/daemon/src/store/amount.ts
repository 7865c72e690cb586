/** What was used: tokens of four kinds, and what they cost where that is known. */
export interface Amount {
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly cacheCreationInputTokens: number;
  readonly cacheReadInputTokens: number;
  /** Undefined when the price is unknown, which is not zero. */
  readonly costUsd: number | undefined;
  /** Whether some of it has no known price. */
  readonly isIncomplete: boolean;
}

/** The kinds of tokens that are counted. */
export const TOKEN_KINDS = [
  "inputTokens",
  "outputTokens",
  "cacheCreationInputTokens",
  "cacheReadInputTokens",
] as const;

/** Counts of tokens alone. */
export type Tokens = Readonly<Record<(typeof TOKEN_KINDS)[number], number>>;

/** Nothing at all, which costs nothing. */
export const ZERO: Amount = {
  inputTokens: 0,
  outputTokens: 0,
  cacheCreationInputTokens: 0,
  cacheReadInputTokens: 0,
  costUsd: undefined,
  isIncomplete: false,
};

/** Makes tokens of a function that gives the count of each kind. */
export function tokensOf(count: (kind: keyof Tokens) => number): Tokens {
  return Object.fromEntries(TOKEN_KINDS.map((kind) => [kind, count(kind)])) as Tokens;
}

/** Both together; a price that one of them lacks makes the sum incomplete, not unknown. */
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
