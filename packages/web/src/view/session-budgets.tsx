import type { Budget } from "@agentwire/api";
import type { Facts } from "@agentwire/view/facts";
import { useEffect, useState } from "preact/hooks";
import type { App } from "../app.ts";
import { BudgetLine, budgetState } from "./budget-line.tsx";

interface BudgetsProps {
  readonly app: App;
  readonly sessionId: string;
  readonly facts: Facts;
  /** Whether the user asked to see the session's budget. */
  readonly isAsked: boolean;
}

/** The budgets that limit a session; shown when nearly spent, or on request. */
export function SessionBudgets({ app, sessionId, facts, isAsked }: BudgetsProps) {
  const [own, setOwn] = useState<Budget | undefined>(undefined);
  const [day, setDay] = useState<Budget | undefined>(undefined);
  const { usage } = app.client;
  useEffect(() => {
    void app
      .attempt(() => Promise.all([usage.getBudget({ sessionId }), usage.getBudget({})]))
      .then((found) => {
        setOwn(found?.[0].budget);
        setDay(found?.[1].budget);
      });
  }, [sessionId, facts.moneySeq, facts.status, isAsked]);
  const isTight = (budget: Budget) => ["warned", "stopped"].includes(budgetState(budget));
  return (
    <>
      {own && (isAsked || isTight(own)) && (
        <BudgetLine app={app} title="This session" budget={own} sessionId={sessionId} onChanged={setOwn} />
      )}
      {day && isTight(day) && (
        <BudgetLine app={app} title="Today, all sessions" budget={day} sessionId="" onChanged={setDay} />
      )}
    </>
  );
}
