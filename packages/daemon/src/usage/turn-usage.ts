import type { ModelUsage, ResultMessage } from "@agentwire/protocol/messages";
import { type Amount, isNothing, plus, TOKEN_KINDS, type Tokens, tokensOf, ZERO } from "../store/amount.ts";

/** The totals that an agent last reported for a conversation: by model, and the overall cost. */
export interface ReportedTotals {
  readonly models: Readonly<Record<string, Tokens & { readonly costUsd?: number }>>;
  readonly totalUsd?: number;
}

/** The usage of a turn, by model, and the totals that the next turn is compared with. */
export interface TurnUsage {
  readonly turn: Amount;
  readonly models: ReadonlyMap<string, Amount>;
  readonly seen: ReportedTotals;
}

/** A conversation without reported totals. */
export const NO_TOTALS: ReportedTotals = { models: {} };

/** More models than any conversation uses; further ones are counted together without a name. */
const MAX_MODELS = 50;
const MAX_NAME = 200;
/** Rounding errors in sums of prices are smaller than this. */
const CENT_OF_A_CENT = 1e-6;

/**
 * The usage of one turn. Agents report totals of the conversation so far, which restart at zero when it is cleared, and for some agents
 * also in a new process. If an agent reports the usage since its last result, that is taken; otherwise totals are compared: they have
 * restarted if one of them is smaller than before, or has grown by less than the turn itself reports.
 */
export function turnUsage(result: ResultMessage, seen: ReportedTotals, model: string): TurnUsage {
  const now = seenIn(result);
  const models = new Map<string, Amount>();
  for (const [name, amount] of used(result, now, seen, model)) {
    const known = models.get(name);
    models.set(name, known ? plus(known, amount) : amount);
  }
  const rest = restOf(result, now, seen, models);
  if (rest !== undefined) charge(models, rest);
  for (const [name, amount] of models) if (isNothing(amount)) models.delete(name);
  const turn = [...models.values()].reduce(plus, ZERO);
  // A total that is missing in a result has not restarted.
  const isListed = Object.keys(now.models).length > 0;
  return { turn, models, seen: { ...seen, ...now, models: isListed ? now.models : seen.models } };
}

function used(
  result: ResultMessage,
  now: ReportedTotals,
  seen: ReportedTotals,
  model: string,
): readonly [string, Amount][] {
  const { model_usage_since_last_result: since, usage } = result;
  if (since && (Object.keys(since).length > 0 || Object.keys(now.models).length === 0))
    return entries(since).map(([name, figures]) => [name, amountOf(figures)]);
  if (Object.keys(now.models).length === 0)
    return [[model, unpriced({ ...tokensOf((kind) => whole(usage[NAMES[kind]])) })]];
  const before = hasBegunAnew(result, now, seen) ? NO_TOTALS : seen;
  return Object.entries(now.models).map(([name, total]) => [name, minus(total, own(before.models, name))]);
}

/** The names of the same counts in the Messages API. */
const NAMES = {
  inputTokens: "input_tokens",
  outputTokens: "output_tokens",
  cacheCreationInputTokens: "cache_creation_input_tokens",
  cacheReadInputTokens: "cache_read_input_tokens",
} as const;

function hasBegunAnew({ usage }: ResultMessage, now: ReportedTotals, seen: ReportedTotals): boolean {
  const shrunk = Object.entries(seen.models).some(([name, before]) => {
    const total = own(now.models, name);
    return TOKEN_KINDS.some((kind) => (total?.[kind] ?? 0) < before[kind]);
  });
  if (shrunk) return true;
  return TOKEN_KINDS.some((kind) => {
    const grown = sum(now, kind) - sum(seen, kind);
    const turn = whole(usage[NAMES[kind]]);
    return grown < turn && turn <= sum(now, kind);
  });
}

const sum = ({ models }: ReportedTotals, kind: keyof Tokens) =>
  Object.values(models).reduce((total, tokens) => total + tokens[kind], 0);

/** The cost of the turn beyond its models with known costs; undefined if unknown. */
function restOf(
  { model_usage_since_last_result: since, total_cost_usd }: ResultMessage,
  now: ReportedTotals,
  seen: ReportedTotals,
  models: ReadonlyMap<string, Amount>,
): number | undefined {
  const isPriced = [...models.values()].every(({ isIncomplete }) => !isIncomplete);
  if (total_cost_usd === undefined || now.totalUsd === undefined) return undefined;
  if (isPriced && models.size > 0 && (since || Object.keys(now.models).length > 0)) return undefined;
  const before = seen.totalUsd ?? 0;
  const total = now.totalUsd < before - CENT_OF_A_CENT ? now.totalUsd : now.totalUsd - before;
  const known = [...models.values()].reduce((all, { costUsd }) => all + (costUsd ?? 0), 0);
  return Math.max(0, total - known);
}

/** Assigns the rest to the only model without a price; with several such models it can't be divided. */
function charge(models: Map<string, Amount>, usd: number): void {
  const unpricedOnes = [...models].filter(([, { isIncomplete }]) => isIncomplete);
  const candidates = unpricedOnes.length > 0 ? unpricedOnes : [...models];
  const [only] = candidates;
  const name = candidates.length === 1 && only ? only[0] : "";
  for (const [one, amount] of unpricedOnes) models.set(one, { ...amount, isIncomplete: false });
  models.set(name, plus(models.get(name) ?? ZERO, { ...ZERO, costUsd: usd }));
}

function seenIn({ modelUsage, total_cost_usd }: ResultMessage): ReportedTotals {
  const models: Record<string, Tokens & { costUsd?: number }> = Object.create(null);
  for (const [name, figures] of entries(modelUsage)) {
    const { costUsd, isIncomplete: _, ...tokens } = plus(asAmount(models[name]), amountOf(figures));
    models[name] = { ...tokens, ...(costUsd !== undefined && { costUsd }) };
  }
  const totalUsd = price(total_cost_usd);
  return { models, ...(totalUsd !== undefined && { totalUsd }) };
}

const asAmount = (seen: ReportedTotals["models"][string] | undefined): Amount =>
  seen ? { ...ZERO, ...seen } : ZERO;

/** Entries of a peer's table, with names that can be stored. */
const entries = (models: Readonly<Record<string, ModelUsage>>): readonly (readonly [string, ModelUsage])[] =>
  Object.entries(models).map(([name, figures], index) => [
    index < MAX_MODELS ? name.slice(0, MAX_NAME) : "",
    figures,
  ]);

function amountOf(figures: ModelUsage): Amount {
  const costUsd = price(figures.costUSD);
  const tokens = tokensOf((kind) => whole(figures[kind]));
  return costUsd === undefined ? unpriced(tokens) : { ...tokens, costUsd, isIncomplete: false };
}

/** Tokens without a known price; no tokens cost nothing. */
function unpriced(tokens: Tokens): Amount {
  const isIncomplete = TOKEN_KINDS.some((kind) => tokens[kind] > 0);
  return { ...tokens, costUsd: undefined, isIncomplete };
}

function minus(
  total: ReportedTotals["models"][string],
  before: ReportedTotals["models"][string] | undefined,
): Amount {
  const tokens = tokensOf((kind) => Math.max(0, total[kind] - (before?.[kind] ?? 0)));
  if (total.costUsd === undefined) return unpriced(tokens);
  return { ...tokens, costUsd: Math.max(0, total.costUsd - (before?.costUsd ?? 0)), isIncomplete: false };
}

/** Converts a peer's number to a valid count. */
const whole = (value: number) =>
  Number.isFinite(value) ? Math.min(Math.max(0, Math.round(value)), MAX_COUNT) : 0;

/** Sums of counts up to this limit stay exact for longer than any session lasts. */
const MAX_COUNT = 2 ** 40;

const price = (usd: number | undefined) =>
  usd === undefined || !Number.isFinite(usd) ? undefined : Math.min(Math.max(0, usd), MAX_USD);

const MAX_USD = 1e6;

/** Looks up a name chosen by a peer, ignoring inherited properties. */
const own = <T>(table: Readonly<Record<string, T>>, name: string): T | undefined =>
  Object.hasOwn(table, name) ? table[name] : undefined;
