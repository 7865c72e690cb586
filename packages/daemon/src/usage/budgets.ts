import type { Store, StoredBudget } from "../store/store.ts";
import { StoreError } from "../store/store-error.ts";
import type { BudgetScope, Write } from "../store/write.ts";

/** The day of a point in time, as the store and the budgets count days. */
export const dayOf = (ms: number): string => new Date(ms).toISOString().slice(0, 10);

/** The cost limits; undefined for no limit. */
export interface BudgetLimits {
  readonly sessionUsd: number | undefined;
  readonly dayUsd: number | undefined;
  /** The fraction of a limit at which clients are warned. */
  readonly warnAt: number;
}

/** How much of a budget is spent. */
export interface BudgetState {
  readonly scope: BudgetScope;
  readonly spentUsd: number;
  readonly limitUsd: number | undefined;
  readonly warnUsd: number;
  readonly level: "open" | "warned" | "stopped";
}

/** A day's costs and the limits that override the settings, from the store. */
export interface Spending {
  readonly day: string;
  readonly spentUsd: number;
  readonly overrides: readonly StoredBudget[];
}

/** Reads what was spent on a day. */
export async function readSpending(store: Store, nowMs: number = Date.now()): Promise<Spending> {
  const day = dayOf(nowMs);
  try {
    return { day, spentUsd: await store.usage.costOfDay(day), overrides: await store.budgets() };
  } catch (error) {
    // With a damaged store no turn starts, so nothing is spent.
    if (error instanceof StoreError && error.code === "corrupt") return { day, spentUsd: 0, overrides: [] };
    throw error;
  }
}

/** Tracks what was spent today and how much may be spent; usage of unknown price does not count. */
export class Budgets {
  readonly #store: Store;
  readonly #limits: () => BudgetLimits;
  readonly #now: () => number;
  /** Limits of sessions and days that override the settings. */
  #overrides: ReadonlyMap<string, number> = new Map();
  #day = "";
  #spentUsd = 0;

  constructor(store: Store, spending: Spending, limits: () => BudgetLimits, now: () => number = Date.now) {
    this.#store = store;
    this.#limits = limits;
    this.#now = now;
    this.replace(spending);
  }

  /** Continues from the values in the store, which include other nodes' sessions. */
  replace({ day, spentUsd, overrides }: Spending): void {
    this.#overrides = new Map(overrides.map(({ scope, owner, limitUsd }) => [keyOf(scope, owner), limitUsd]));
    this.#day = day;
    this.#spentUsd = spentUsd;
  }

  /** The day that is being counted. */
  get today(): string {
    const day = dayOf(this.#now());
    if (day !== this.#day) this.#begin(day);
    return day;
  }

  /** Starts counting another day, from the values in the store: the clock may also have been set back. */
  #begin(day: string): void {
    this.#day = day;
    this.#spentUsd = 0;
    const add = (usd: number) => {
      if (this.#day === day) this.#spentUsd += usd;
    };
    // An unreadable store is reported by its health.
    this.#store.usage.costOfDay(day).then(add, () => {});
  }

  /** Adds a cost to today's. */
  spend(usd: number): void {
    void this.today;
    this.#spentUsd += usd;
  }

  /** How much of today's budget is spent. */
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

  /** Sets the limit of a session, or today's if no session is given; undefined restores the settings' value. `note` is written with it. */
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
