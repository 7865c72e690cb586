import type { Database } from "../store/database.ts";
import type { Write } from "../store/write.ts";
import type { Writer } from "../store/writer.ts";
import { costOfDay, dayOf } from "./usage-table.ts";

/** What sessions may cost; undefined without a limit. */
export interface BudgetLimits {
  readonly sessionUsd: number | undefined;
  readonly dayUsd: number | undefined;
  /** The part of a limit from which on everyone is warned. */
  readonly warnAt: number;
}

/** What a limit is set on. */
export type BudgetScope = "session" | "day";

/** How far a budget is spent. */
export interface BudgetState {
  readonly scope: BudgetScope;
  readonly spentUsd: number;
  readonly limitUsd: number | undefined;
  readonly warnUsd: number;
  readonly level: "open" | "warned" | "stopped";
}

/** Limits set beside the settings: a session's own, and today's. */
interface Override {
  readonly scope: BudgetScope;
  readonly owner: string;
}

/** Knows what was spent today and how much may be spent; unknown prices do not count. */
export class Budgets {
  readonly #db: Database;
  readonly #writer: Writer;
  readonly #limits: () => BudgetLimits;
  readonly #now: () => number;
  #day: string;
  #spentUsd: number;

  constructor(db: Database, writer: Writer, limits: () => BudgetLimits, now: () => number = Date.now) {
    this.#db = db;
    this.#writer = writer;
    this.#limits = limits;
    this.#now = now;
    this.#day = dayOf(now());
    this.#spentUsd = costOfDay(db, this.#day);
  }

  /** The day that is counted now. */
  get today(): string {
    const day = dayOf(this.#now());
    if (day !== this.#day) {
      this.#day = day;
      this.#spentUsd = costOfDay(this.#db, day);
    }
    return day;
  }

  /** Something was paid today. */
  spend(usd: number): void {
    void this.today;
    this.#spentUsd += usd;
  }

  /** How far the budget of today is spent. */
  day(): BudgetState {
    const { dayUsd } = this.#limits();
    const limit = this.#override({ scope: "day", owner: this.today }) ?? dayUsd;
    return this.#state("day", this.#spentUsd, limit);
  }

  /** How far the budget of a session is used, given what it has spent. */
  session(id: string, spentUsd: number): BudgetState {
    const { sessionUsd } = this.#limits();
    const limit = this.#override({ scope: "session", owner: id }) ?? sessionUsd;
    return this.#state("session", spentUsd, limit);
  }

  /** Sets the limit of a session, or today's if none is named; undefined: what the settings say. `note` is written with it. */
  async set(sessionId: string, limitUsd: number | undefined, note: Write): Promise<void> {
    const scope = sessionId === "" ? "day" : "session";
    await this.#writer.write([override({ scope, owner: sessionId || this.today }, limitUsd), note]);
  }

  #override({ scope, owner }: Override): number | undefined {
    const row = this.#db
      .statement("SELECT limit_usd AS usd FROM budgets WHERE scope = ? AND owner = ?")
      .get(scope, owner);
    return (row as { usd: number } | undefined)?.usd;
  }

  #state(scope: BudgetScope, spentUsd: number, limitUsd: number | undefined): BudgetState {
    const warnUsd = limitUsd === undefined ? 0 : limitUsd * this.#limits().warnAt;
    const level =
      limitUsd === undefined || spentUsd < warnUsd ? "open" : spentUsd < limitUsd ? "warned" : "stopped";
    return { scope, spentUsd, limitUsd, warnUsd, level };
  }
}

function override({ scope, owner }: Override, limitUsd: number | undefined): Write {
  return limitUsd === undefined
    ? { sql: "DELETE FROM budgets WHERE scope = ? AND owner = ?", values: [scope, owner] }
    : {
        sql: `INSERT INTO budgets (scope, owner, limit_usd) VALUES (?, ?, ?)
              ON CONFLICT DO UPDATE SET limit_usd = excluded.limit_usd`,
        values: [scope, owner, limitUsd],
      };
}
