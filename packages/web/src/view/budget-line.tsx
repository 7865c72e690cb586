import type { Budget } from "@agentwire/api";
import { useEffect, useRef, useState } from "preact/hooks";
import type { App } from "../app.ts";
import { dollars } from "../text/words.ts";

interface BudgetProps {
  readonly app: App;
  /** What the budget is for. */
  readonly title: string;
  readonly budget: Budget;
  /** Empty for the daily budget of all sessions. */
  readonly sessionId: string;
  readonly onChanged: (budget: Budget) => void;
}

/** Shows how much of a budget is spent, and lets the user change the limit. */
export function BudgetLine({ app, title, budget, sessionId, onChanged }: BudgetProps) {
  const [isChanging, setChanging] = useState(false);
  const { spentUsd, limitUsd } = budget;
  const state = budgetState(budget);
  const set = async (wanted: number | undefined) => {
    const answer = await app.attempt(() =>
      app.client.usage.setBudget({ sessionId, ...(wanted !== undefined && { limitUsd: wanted }) }),
    );
    if (answer?.budget) onChanged(answer.budget);
    setChanging(false);
  };
  const limit = limitUsd === undefined ? "" : ` of ${dollars(limitUsd)}`;
  return (
    <section class={`panel budget ${state}`} aria-label={`Budget: ${title}`}>
      <p class="budget-head">
        <strong>{title}</strong>
        <span class="budget-words">
          {dollars(spentUsd)}
          {limit} spent
        </span>
        <span class={`tag ${TONES[state]}`}>{WORDS[state]}</span>
        {!isChanging && (
          <button type="button" class="small" onClick={() => setChanging(true)}>
            {limitUsd === undefined ? "Set a limit" : "Change the limit"}
          </button>
        )}
      </p>
      {limitUsd !== undefined && <Gauge budget={budget} limitUsd={limitUsd} />}
      {isChanging && <LimitForm budget={budget} onDone={set} onCancel={() => setChanging(false)} />}
    </section>
  );
}

type BudgetState = "unlimited" | "open" | "warned" | "stopped";

const TONES: Readonly<Record<BudgetState, string>> = {
  unlimited: "",
  open: "good",
  warned: "warning",
  stopped: "bad",
};
const WORDS: Readonly<Record<BudgetState, string>> = {
  unlimited: "no limit",
  open: "within the limit",
  warned: "nearly spent",
  stopped: "spent: no new turn starts",
};

/** The state of a budget. */
export function budgetState({ spentUsd, limitUsd, warnUsd, stopped }: Budget): BudgetState {
  if (limitUsd === undefined) return "unlimited";
  if (stopped) return "stopped";
  return spentUsd >= warnUsd ? "warned" : "open";
}

/** A bar that shows the amount spent and the warning threshold. */
function Gauge({
  budget: { spentUsd, warnUsd },
  limitUsd,
}: {
  readonly budget: Budget;
  readonly limitUsd: number;
}) {
  const part = (usd: number) => `${limitUsd > 0 ? Math.min(100, (100 * usd) / limitUsd) : 100}%`;
  return (
    <div class="gauge" aria-hidden="true">
      <div class="gauge-fill" style={{ width: part(spentUsd) }} />
      <div class="gauge-mark" style={{ left: part(warnUsd) }} title={`warning at ${dollars(warnUsd)}`} />
    </div>
  );
}

interface LimitProps {
  readonly budget: Budget;
  readonly onDone: (limitUsd: number | undefined) => void;
  readonly onCancel: () => void;
}

/** Asks for a new limit. */
function LimitForm({ budget: { limitUsd, spentUsd }, onDone, onCancel }: LimitProps) {
  const [text, setText] = useState(String(proposed(limitUsd, spentUsd)));
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => field.current?.select(), []);
  const limit = Number(text);
  const isGood = text.trim() !== "" && Number.isFinite(limit) && limit >= 0;
  return (
    <form
      class="line-form"
      onSubmit={(event) => {
        event.preventDefault();
        if (isGood) onDone(limit);
      }}
    >
      <label class="limit">
        Limit in dollars
        <input
          ref={field}
          type="number"
          inputMode="decimal"
          min="0"
          step="any"
          value={text}
          onInput={(event) => setText(event.currentTarget.value)}
          onKeyDown={(event) => event.key === "Escape" && onCancel()}
        />
      </label>
      <button type="submit" class="primary" disabled={!isGood}>
        Set
      </button>
      <button type="button" class="quiet" onClick={() => onDone(undefined)}>
        Use the default from settings
      </button>
      <button type="button" class="quiet" onClick={onCancel}>
        Cancel
      </button>
    </form>
  );
}

/** The suggested limit: twice the current one, but more than the amount spent. */
const proposed = (limitUsd: number | undefined, spentUsd: number) =>
  limitUsd ? Math.max(2 * limitUsd, Math.ceil(spentUsd + 1)) : Math.ceil(spentUsd + 5);
