import type { ResultMessage } from "@agentwire/protocol/messages";
import { DaemonError } from "../errors.ts";
import { type Amount, plus } from "../store/amount.ts";
import type { Draft } from "../store/draft.ts";
import type { StoredSession } from "../store/store.ts";
import type { Write } from "../store/write.ts";
import type { BudgetState, Budgets } from "./budgets.ts";
import { toUsage } from "./to-usage.ts";
import { NO_TOTALS, type ReportedTotals, turnUsage } from "./turn-usage.ts";

/** The result of a turn: its usage, its effect on budgets, and the writes that store both. */
export interface MeterNews {
  readonly turn: Amount;
  readonly drafts: readonly Draft[];
  readonly writes: readonly Write[];
}

/** Counts what one session uses, across all its processes, and determines when it must stop. */
export class Meter {
  readonly #sessionId: string;
  readonly #budgets: Budgets;
  #seen: ReportedTotals;
  #total: Amount;
  /** The level of each budget that clients were last told. */
  readonly #told = new Map<string, BudgetState["level"]>();

  constructor({ record, usage, totals }: StoredSession, budgets: Budgets) {
    this.#sessionId = record.id;
    this.#budgets = budgets;
    this.#seen = totals === undefined ? NO_TOTALS : (JSON.parse(totals) as ReportedTotals);
    this.#total = usage;
  }

  /** The total usage of the session. */
  get total(): Amount {
    return this.#total;
  }

  /** Call this when a turn is over; `model` is used if the agent does not name one. */
  turnEnded(result: ResultMessage, model: string): MeterNews {
    const { turn, models, seen } = turnUsage(result, this.#seen, model);
    this.#seen = seen;
    this.#total = plus(this.#total, turn);
    this.#budgets.spend(turn.costUsd ?? 0);
    const day = this.#budgets.today;
    const sessionId = this.#sessionId;
    const value = {
      turn: toUsage(turn),
      session: toUsage(this.#total),
      models: [...models].map(([name, amount]) => ({ model: name, usage: toUsage(amount) })),
    };
    return {
      turn,
      drafts: [{ body: { case: "usageReport", value } }, ...this.notices()],
      writes: [
        ...[...models].map(
          ([name, amount]): Write => ({ type: "addUsage", sessionId, day, model: name, amount }),
        ),
        { type: "keepTotals", sessionId, json: JSON.stringify(seen) },
      ],
    };
  }

  /** The exhausted budget that blocks new turns, if there is one. */
  get stop(): BudgetState | undefined {
    return this.#states().find(({ level }) => level === "stopped");
  }

  /** Throws if no new turn may start. */
  mustAfford(): void {
    const { stop } = this;
    if (stop) throw new DaemonError("BUDGET_EXHAUSTED", budgetText(stop));
  }

  /** Notices about budgets that clients have not been sent yet. */
  notices(): readonly Draft[] {
    return this.#states().flatMap((state): Draft[] => {
      const { scope, level, limitUsd = 0, spentUsd } = state;
      const before = this.#told.get(scope) ?? "open";
      this.#told.set(scope, level);
      if (level === before || level === "open" || before === "stopped") return [];
      return [
        {
          body: { case: "budgetNotice", value: { scope, stopped: level === "stopped", spentUsd, limitUsd } },
        },
      ];
    });
  }

  #states(): readonly BudgetState[] {
    return [this.#budgets.session(this.#sessionId, this.#total.costUsd ?? 0), this.#budgets.day()];
  }
}

/** Says which budget is exhausted, and what to do. */
export function budgetText({ scope, spentUsd, limitUsd = 0 }: BudgetState): string {
  const whose = scope === "day" ? "of today" : "of this session";
  return `the budget ${whose} is spent: $${spentUsd.toFixed(2)} of $${limitUsd.toFixed(2)}; raise it to continue`;
}
