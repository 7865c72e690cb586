import type { Question } from "@agentwire/api";
import { timestampMs } from "@bufbuild/protobuf/wkt";
import { useContext, useEffect, useRef, useState } from "preact/hooks";
import type { App, Decision } from "../app.ts";
import { editOf } from "../text/edit.ts";
import { within } from "../text/paths.ts";
import { suggestRule } from "../text/suggest-rule.ts";
import { parseInput, pretty } from "../text/tool-input.ts";
import { clock } from "../text/words.ts";
import { DiffView } from "./diff-view.tsx";
import { Folder } from "./folder.ts";
import { InputView } from "./input-view.tsx";
import { LineForm } from "./line-form.tsx";

interface CardProps {
  readonly app: App;
  readonly question: Question;
  /** Whether keys pressed outside of fields are meant for this card. */
  readonly hasKeys: boolean;
  readonly onAnswer: (id: string) => void;
}

type Asking = "choice" | "session" | "project" | "user" | "input" | "reason";

/** Keys in the first moment after a question were meant for something else. */
const DEAF_MS = 500;

/** Asks whether a tool may run: what exactly would run, and every way to answer. */
export function PermissionCard({ app, question, hasKeys, onAnswer }: CardProps) {
  const [asking, setAsking] = useState<Asking>("choice");
  const [isBusy, setBusy] = useState(false);
  const folder = useContext(Folder);
  const [since] = useState(() => performance.now());
  const card = useRef<HTMLElement>(null);
  const decide = async (decision: Decision) => {
    setBusy(true);
    onAnswer(question.id);
    const answer = await app.attempt(() =>
      app.client.questions.decide({ questionId: question.id, decision }),
    );
    setBusy(false);
    if (answer && !answer.decidedNow) app.say(`${answer.question?.decidedBy || "Somebody"} was faster.`);
  };
  const allow = (value: Extract<Decision, { case: "allow" }>["value"]) =>
    void decide({ case: "allow", value });
  const deny = (message: string, stop = false) => void decide({ case: "deny", value: { message, stop } });
  const choices: readonly Choice[] = [
    { key: "y", label: "Allow once", run: () => allow({}), isMain: true },
    { key: "s", label: "Session…", run: () => setAsking("session") },
    { key: "a", label: "Always…", run: () => setAsking("project") },
    { key: "e", label: "Edit…", run: () => setAsking("input") },
    { key: "n", label: "Deny", run: () => deny("") },
    { key: "d", label: "Deny because…", run: () => setAsking("reason") },
    { key: "x", label: "Deny and stop", run: () => deny("", true) },
  ];
  const onKey = (event: KeyboardEvent) => {
    if (asking !== "choice" || isBusy || event.ctrlKey || event.metaKey || event.altKey || isTyping(event))
      return;
    if (performance.now() - since < DEAF_MS) return;
    const chosen = choices.find(({ key }) => key === event.key);
    if (!chosen) return;
    event.preventDefault();
    chosen.run();
  };
  useEffect(() => {
    if (!hasKeys) return;
    document.addEventListener("keydown", onKey);
    return () => document.removeEventListener("keydown", onKey);
  });
  const input = parseInput(question.inputJson);
  const edit = editOf(question.toolName, input);
  const back = () => {
    setAsking("choice");
    card.current?.focus();
  };
  const rule = suggestRule(question);
  return (
    <section ref={card} class="card permission" tabIndex={-1} aria-label={`May it use ${question.toolName}?`}>
      <h2>
        May it use <strong>{question.toolName}</strong>?
        {edit && <span class="path">{within(edit.path, folder)}</span>}
      </h2>
      <div class="card-body">
        {edit ? <DiffView edit={edit} /> : <InputView name={question.toolName} input={input} />}
      </div>
      <p class="why">{whyOf(question, folder)}</p>
      {asking === "choice" && (
        <div class="choices">
          {choices.map(({ key, label, run, isMain }) => (
            <button
              key={key}
              type="button"
              class={isMain ? "primary" : ""}
              disabled={isBusy}
              onClick={run}
              aria-keyshortcuts={hasKeys ? key : undefined}
              {...(isMain && { "data-first": true })}
            >
              {label} {hasKeys && <kbd>{key}</kbd>}
            </button>
          ))}
        </div>
      )}
      {asking === "session" && (
        <LineForm
          label="Allow until the session ends"
          text={rule}
          action="Allow"
          onCancel={back}
          onDone={(text) => allow({ lasting: { case: "sessionRule", value: text } })}
        />
      )}
      {(asking === "project" || asking === "user") && (
        <LineForm
          label="Always allow"
          text={rule}
          action="Allow and save"
          onCancel={back}
          onDone={(text) => allow({ lasting: { case: "always", value: { rule: text, scope: asking } } })}
        >
          <select
            aria-label="Where"
            value={asking}
            onChange={(event) => setAsking(event.currentTarget.value as Asking)}
          >
            <option value="project">in this project</option>
            <option value="user">in all projects</option>
          </select>
        </LineForm>
      )}
      {asking === "input" && (
        <LineForm
          label="What runs instead"
          text={pretty(question.inputJson)}
          action="Allow this"
          isLong
          onCancel={back}
          onDone={(text) => allow({ updatedInputJson: text })}
        />
      )}
      {asking === "reason" && (
        <LineForm
          label="Tell the agent why"
          text=""
          action="Deny"
          onCancel={back}
          onDone={(text) => deny(text)}
        />
      )}
    </section>
  );
}

/** Why it is asked, and for how long it waits. */
function whyOf({ reason, blockedPath, expiresAt }: Question, folder: string): string {
  const about = within(blockedPath, folder);
  const parts = [
    within(reason, folder),
    about === "" || reason.includes(about) ? "" : `about ${about}`,
    expiresAt ? `waits until ${clock(timestampMs(expiresAt))}` : "",
  ];
  return parts.filter(Boolean).join(" · ");
}

interface Choice {
  readonly key: string;
  readonly label: string;
  readonly run: () => void;
  readonly isMain?: boolean;
}

function isTyping({ target }: KeyboardEvent): boolean {
  return (
    target instanceof HTMLElement && target.closest("input, textarea, select, [contenteditable]") !== null
  );
}
