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
  /** Whether this card handles keys while no card has the focus. */
  readonly hasKeys: boolean;
}

/** Asks for approval of a plan: carry it out with edits accepted, carry it out with a question each time, or revise it. */
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
    // Set before the decision so that the first step already uses the mode, and again after it, since some agents change the mode
    // when they leave plan mode.
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
    <section ref={card} class="card permission plan" tabIndex={-1} aria-label="Approve this plan?">
      <h2>Approve this plan?</h2>
      <div class="card-body" tabIndex={0} role="document" aria-label="The plan">
        <Markdown text={textField(parseInput(question.inputJson), "plan") || "The agent provided no plan."} />
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
