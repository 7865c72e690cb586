import type { Facts, KnownQuestion } from "@agentwire/view/facts";
import { useEffect, useRef } from "preact/hooks";
import type { App } from "../app.ts";
import { decisionWords } from "../text/words.ts";
import { PermissionCard } from "./permission-card.tsx";
import { PlanCard } from "./plan-card.tsx";
import { UserQuestionCard } from "./user-question-card.tsx";

interface DockProps {
  readonly app: App;
  readonly facts: Facts;
}

/** The open questions, always visible. A question answered by another client stays, with its outcome, until it is dismissed. */
export function QuestionDock({ app, facts: { questions } }: DockProps) {
  const dock = useRef<HTMLElement>(null);
  const shown = questions.filter(({ settled }) => !settled || !app.client.isUs(settled.decidedBy));
  const open = shown.filter(({ settled }) => !settled);
  const waited = useRef(open.length);
  useEffect(() => {
    // After an answer the focus goes to the next question, or back to the prompt.
    if (open.length < waited.current && document.activeElement === document.body) {
      const next = dock.current?.querySelector<HTMLElement>("[data-first]");
      (next ?? document.querySelector<HTMLElement>(".composer textarea"))?.focus();
    }
    waited.current = open.length;
  });
  if (shown.length === 0) return null;
  return (
    <section ref={dock} class="dock" aria-label="Open questions">
      {shown.map((known) => (
        <Card key={known.question.id} app={app} known={known} isFirst={known === open[0]} />
      ))}
    </section>
  );
}

interface CardProps {
  readonly app: App;
  readonly known: KnownQuestion;
  readonly isFirst: boolean;
}

function Card({ app, known: { question, settled }, isFirst }: CardProps) {
  if (settled)
    return (
      <div class="card settled" role="status">
        <p>
          <strong>{question.toolName}</strong> {decisionWords(question, settled, app.client.isUs)}
        </p>
        <button type="button" class="small quiet" onClick={() => app.session?.dismiss(question.id)}>
          Dismiss
        </button>
      </div>
    );
  if (question.toolName === "ExitPlanMode")
    return <PlanCard app={app} question={question} hasKeys={isFirst} />;
  return question.userQuestions.length > 0 ? (
    <UserQuestionCard app={app} question={question} />
  ) : (
    <PermissionCard app={app} question={question} hasKeys={isFirst} />
  );
}
