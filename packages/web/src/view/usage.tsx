import type { Budget, Usage } from "@agentwire/api";
import { useEffect, useState } from "preact/hooks";
import type { App } from "../app.ts";
import { cost, count, dollars, tokens } from "../text/words.ts";
import { loadUsage, type SessionShare, type UsageFacts } from "../usage/load.ts";
import { everyDay, type Share, total } from "../usage/summary.ts";
import { BudgetLine } from "./budget-line.tsx";
import type { ViewProps } from "./shell.tsx";
import { UsageBars } from "./usage-bars.tsx";
import { UsagePlot } from "./usage-plot.tsx";

const PERIODS = [7, 30, 90, 365] as const;

/** Usage and costs by day, model and session, with budgets. */
export function UsagePage({ app }: ViewProps) {
  const [days, setDays] = useState<number>(30);
  const [facts, setFacts] = useState<UsageFacts | undefined>(undefined);
  const load = () =>
    void app.attempt(() => loadUsage(app.client, days, Date.now())).then((found) => found && setFacts(found));
  useEffect(load, [days]);
  return (
    <div class="page">
      <header class="page-head">
        <h1>Usage</h1>
        <label class="period">
          Last
          <select value={days} onChange={(event) => setDays(Number(event.currentTarget.value))}>
            {PERIODS.map((period) => (
              <option key={period} value={period}>
                {period} days
              </option>
            ))}
          </select>
        </label>
      </header>
      {facts ? (
        <UsageView app={app} facts={facts} days={days} onChanged={load} />
      ) : (
        <p class="why">Loading…</p>
      )}
    </div>
  );
}

interface UsageViewProps {
  readonly app: App;
  readonly facts: UsageFacts;
  readonly days: number;
  readonly onChanged: () => void;
}

function UsageView({ app, facts, days, onChanged }: UsageViewProps) {
  const byDay = everyDay(facts.byDay, days, Date.now());
  const byModel = facts.byModel.flatMap(({ key, usage }): readonly Share[] =>
    usage ? [{ name: key || "unknown", usage }] : [],
  );
  const { bySession, sessions } = facts;
  return (
    <>
      <Totals usage={total(facts.byDay)} />
      <div class="plots">
        <UsagePlot
          title="Cost per day"
          shares={byDay}
          size={({ costUsd }) => costUsd ?? 0}
          words={cost}
          scale={dollars}
        />
        <UsagePlot title="Tokens per day" shares={byDay} size={tokens} words={tokenWords} scale={count} />
      </div>
      <h2>Budgets</h2>
      <div class="budgets">
        {facts.budget && (
          <BudgetLine
            app={app}
            title="Today, all sessions"
            budget={facts.budget}
            sessionId=""
            onChanged={onChanged}
          />
        )}
        {tightest(bySession).map(({ name, sessionId, budget }) => (
          <BudgetLine
            key={sessionId}
            app={app}
            title={name}
            budget={budget}
            sessionId={sessionId}
            onChanged={onChanged}
          />
        ))}
      </div>
      <UsageBars title="By model" what="Model" shares={byModel} />
      <UsageBars
        title={
          bySession.length < sessions ? `By session: top ${bySession.length} of ${sessions}` : "By session"
        }
        what="Session"
        shares={bySession}
      />
      <p class="why">
        Days are in UTC. Costs are as reported by agents; usage without a known price is not included.
      </p>
    </>
  );
}

const tokenWords = (usage: Usage) => (tokens(usage) > 0 ? `${count(tokens(usage))} tokens` : "");

function Totals({ usage }: { readonly usage: Usage }) {
  const figures: readonly (readonly [string, string])[] = [
    ["Cost", cost(usage) || "nothing"],
    ["Input tokens", count(Number(usage.inputTokens))],
    ["Output tokens", count(Number(usage.outputTokens))],
    ["Cache reads", count(Number(usage.cacheReadInputTokens))],
    ["Cache writes", count(Number(usage.cacheCreationInputTokens))],
  ];
  return (
    <dl class="figures">
      {figures.map(([name, value]) => (
        <div key={name} class="panel">
          <dt>{name}</dt>
          <dd>
            <span class="figure">{value}</span>
          </dd>
        </div>
      ))}
    </dl>
  );
}

const SHOWN_BUDGETS = 5;
/** A session's budget is listed here once this fraction of it is spent. */
const WORTH_SHOWING = 0.5;

interface Limited {
  readonly name: string;
  readonly sessionId: string;
  readonly budget: Budget;
}

/** The session budgets with the least money left. */
function tightest(shares: readonly SessionShare[]): readonly Limited[] {
  const left = ({ budget: { spentUsd, limitUsd = 0 } }: Limited) => limitUsd - spentUsd;
  return shares
    .flatMap(({ name, sessionId, budget }): readonly Limited[] =>
      sessionId !== undefined && budget?.limitUsd !== undefined ? [{ name, sessionId, budget }] : [],
    )
    .filter(({ budget: { spentUsd, limitUsd = 0 } }) => spentUsd >= limitUsd * WORTH_SHOWING)
    .toSorted((a, b) => left(a) - left(b))
    .slice(0, SHOWN_BUDGETS);
}
