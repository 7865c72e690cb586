import { useEffect, useRef } from "preact/hooks";
import type { App } from "../app.ts";
import type { Facts, KnownQuestion } from "../session/facts.ts";
import { decisionWords } from "../text/decision-words.ts";
import { PermissionCard } from "./permission-card.tsx";
import { UserQuestionCard } from "./user-question-card.tsx";

interface DockProps {
  readonly app: App;
  readonly facts: Facts;
}

/** The questions that wait, always in sight; those that somebody else has answered say so until they are put away. */
export function QuestionDock({ app, facts: { questions } }: DockProps) {
  const mine = useRef(new Set<string>());
  const dock = useRef<HTMLElement>(null);
  const shown = questions.filter(({ question, settled }) => !settled || !mine.current.has(question.id));
  const open = shown.filter(({ settled }) => !settled);
  const waited = useRef(open.length);
  useEffect(() => {
    // Whoever has answered goes on with the next question, or with what they were saying.
    const wasInside = document.activeElement === document.body;
    if (open.length < waited.current && wasInside) {
      const next = dock.current?.querySelector<HTMLElement>("[data-first]");
      (next ?? document.querySelector<HTMLElement>(".composer textarea"))?.focus();
    }
    waited.current = open.length;
  });
  if (shown.length === 0) return null;
  const answered = (id: string) => mine.current.add(id);
  return (
    <section ref={dock} class="dock" aria-label="Questions that wait">
      {shown.map((known) => (
        <Card
          key={known.question.id}
          known={known}
          isFirst={known === open[0]}
          app={app}
          onAnswer={answered}
        />
      ))}
    </section>
  );
}

interface CardProps {
  readonly app: App;
  readonly known: KnownQuestion;
  readonly isFirst: boolean;
  readonly onAnswer: (id: string) => void;
}

function Card({ app, known: { question, settled }, isFirst, onAnswer }: CardProps) {
  if (settled)
    return (
      <div class="card settled" role="status">
        <p>
          <strong>{question.toolName}</strong> {decisionWords(question, settled)}
        </p>
        <button type="button" class="small quiet" onClick={() => app.session?.dismiss(question.id)}>
          Put away
        </button>
      </div>
    );
  return question.userQuestions.length > 0 ? (
    <UserQuestionCard app={app} question={question} onAnswer={onAnswer} />
  ) : (
    <PermissionCard app={app} question={question} hasKeys={isFirst} onAnswer={onAnswer} />
  );
}
