import type { Store, StoredBudget } from "../store/store.ts";
import { StoreError } from "../store/store-error.ts";
import type { BudgetScope, Write } from "../store/write.ts";

/** The day of a moment, as the store and the budgets count days. */
export const dayOf = (ms: number): string => new Date(ms).toISOString().slice(0, 10);

/** What sessions may cost; undefined without a limit. */
export interface BudgetLimits {
  readonly sessionUsd: number | undefined;
  readonly dayUsd: number | undefined;
  /** The part of a limit from which on everyone is warned. */
  readonly warnAt: number;
}

/** How far a budget is spent. */
export interface BudgetState {
  readonly scope: BudgetScope;
  readonly spentUsd: number;
  readonly limitUsd: number | undefined;
  readonly warnUsd: number;
  readonly level: "open" | "warned" | "stopped";
}

/** What a store knows of a day's costs, and of limits set beside the settings. */
export interface Spending {
  readonly day: string;
  readonly spentUsd: number;
  readonly overrides: readonly StoredBudget[];
}

/** Reads what was spent on the day of a moment. */
export async function readSpending(store: Store, nowMs: number = Date.now()): Promise<Spending> {
  const day = dayOf(nowMs);
  try {
    return { day, spentUsd: await store.usage.costOfDay(day), overrides: await store.budgets() };
  } catch (error) {
    // In a damaged store no turn begins, so nothing is spent.
    if (error instanceof StoreError && error.code === "corrupt") return { day, spentUsd: 0, overrides: [] };
    throw error;
  }
}

/** Knows what was spent today and how much may be spent; unknown prices do not count. */
export class Budgets {
  readonly #store: Store;
  readonly #limits: () => BudgetLimits;
  readonly #now: () => number;
  /** Limits set beside the settings: of sessions, and of days. */
  #overrides: ReadonlyMap<string, number> = new Map();
  #day = "";
  #spentUsd = 0;

  constructor(store: Store, spending: Spending, limits: () => BudgetLimits, now: () => number = Date.now) {
    this.#store = store;
    this.#limits = limits;
    this.#now = now;
    this.replace(spending);
  }

  /** Counts from what the store knows; of other nodes' sessions, too. */
  replace({ day, spentUsd, overrides }: Spending): void {
    this.#overrides = new Map(overrides.map(({ scope, owner, limitUsd }) => [keyOf(scope, owner), limitUsd]));
    this.#day = day;
    this.#spentUsd = spentUsd;
  }

  /** The day that is counted now. */
  get today(): string {
    const day = dayOf(this.#now());
    if (day !== this.#day) this.#begin(day);
    return day;
  }

  /** Counts another day, from what the store knows of it: a clock may also be set back. */
  #begin(day: string): void {
    this.#day = day;
    this.#spentUsd = 0;
    const add = (usd: number) => {
      if (this.#day === day) this.#spentUsd += usd;
    };
    // A store that can't be read is its health's business.
    this.#store.usage.costOfDay(day).then(add, () => {});
  }

  /** Something was paid today. */
  spend(usd: number): void {
    void this.today;
    this.#spentUsd += usd;
  }

  /** How far the budget of today is spent. */
  day(): BudgetState {
    const { dayUsd } = this.#limits();
    const limit = this.#overrides.get(keyOf("day", this.today)) ?? dayUsd;
    return this.#state("day", this.#spentUsd, limit);
  }

  /** How far the budget of a session is used, given what it has spent. */
  session(id: string, spentUsd: number): BudgetState {
    const { sessionUsd } = this.#limits();
    const limit = this.#overrides.get(keyOf("session", id)) ?? sessionUsd;
    return this.#state("session", spentUsd, limit);
  }

  /** Sets the limit of a session, or today's if none is named; undefined: what the settings say. `note` is written with it. */
  async set(sessionId: string, limitUsd: number | undefined, note: Write): Promise<void> {
    const scope = sessionId === "" ? "day" : "session";
    const owner = sessionId || this.today;
    await this.#store.write([{ type: "setBudget", scope, owner, limitUsd }, note]);
    const others = [...this.#overrides].filter(([key]) => key !== keyOf(scope, owner));
    this.#overrides = new Map(limitUsd === undefined ? others : [...others, [keyOf(scope, owner), limitUsd]]);
  }

  #state(scope: BudgetScope, spentUsd: number, limitUsd: number | undefined): BudgetState {
    const warnUsd = limitUsd === undefined ? 0 : limitUsd * this.#limits().warnAt;
    const level =
      limitUsd === undefined || spentUsd < warnUsd ? "open" : spentUsd < limitUsd ? "warned" : "stopped";
    return { scope, spentUsd, limitUsd, warnUsd, level };
  }
}

const keyOf = (scope: BudgetScope, owner: string) => `${scope} ${owner}`;
