import type { Question } from "@agentwire/api";
import { parseInput, textField } from "@agentwire/view/text";
import { useRef, useState } from "preact/hooks";
import type { App, Decision } from "../app.ts";
import { deadlineWords } from "../text/words.ts";
import { LineForm } from "./line-form.tsx";
import { Markdown } from "./markdown.tsx";
import { useKeys } from "./use-keys.ts";

interface PlanProps {
  readonly app: App;
  readonly question: Question;
  /** Whether keys are meant for this card when no card has the focus. */
  readonly hasKeys: boolean;
}

/** Asks whether a plan is good: it is carried out with edits accepted, with a question each time, or made again for a reason. */
export function PlanCard({ app, question, hasKeys }: PlanProps) {
  const [isRefusing, setRefusing] = useState(false);
  const [isBusy, setBusy] = useState(false);
  const card = useRef<HTMLElement>(null);
  const { sessionId } = question;
  const decide = async (decision: Decision, permissionMode?: string) => {
    const changeMode = async () => {
      if (permissionMode === undefined) return;
      const answer = await app.attempt(() => app.client.sessions.setMode({ sessionId, permissionMode }));
      if (answer?.session) app.session?.changed(answer.session);
    };
    setBusy(true);
    // Before the decision, so that the first step is already taken in that mode; and after it, since some agents leave plan mode by
    // themselves and change the mode again.
    await changeMode();
    await app.decide(question, decision);
    await changeMode();
    setBusy(false);
  };
  const allow: Decision = { case: "allow", value: {} };
  const choices = [
    { key: "a", label: "Yes, and accept edits", run: () => void decide(allow, "acceptEdits") },
    { key: "y", label: "Yes, ask each time", run: () => void decide(allow, "default") },
    { key: "n", label: "No, because…", run: () => setRefusing(true) },
  ];
  useKeys(choices, card, hasKeys, !isRefusing && !isBusy);
  const deadline = deadlineWords(question, Date.now());
  return (
    <section ref={card} class="card permission plan" tabIndex={-1} aria-label="Is this plan good?">
      <h2>Is this plan good?</h2>
      <div class="card-body" tabIndex={0} role="document" aria-label="The plan">
        <Markdown text={textField(parseInput(question.inputJson), "plan") || "The agent gave no plan."} />
      </div>
      {deadline !== "" && <p class="why">{deadline}</p>}
      {isRefusing ? (
        <LineForm
          label="What should change?"
          text=""
          action="Send"
          isLong
          onCancel={() => setRefusing(false)}
          onDone={(message) => void decide({ case: "deny", value: { message } })}
        />
      ) : (
        <div class="choices">
          {choices.map(({ key, label, run }, index) => (
            <button
              key={key}
              type="button"
              class={index === 0 ? "primary" : ""}
              disabled={isBusy}
              onClick={run}
              aria-keyshortcuts={key}
              {...(index === 0 && { "data-first": true })}
            >
              {label} <kbd>{key}</kbd>
            </button>
          ))}
        </div>
      )}
    </section>
  );
}
