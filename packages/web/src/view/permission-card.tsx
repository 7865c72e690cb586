import type { Question } from "@agentwire/api";
import { editOf, parseInput, textField } from "@agentwire/view/text";
import { useContext, useRef, useState } from "preact/hooks";
import type { App, Decision } from "../app.ts";
import { within } from "../text/paths.ts";
import { deadlineWords } from "../text/words.ts";
import { DiffView } from "./diff-view.tsx";
import { Folder } from "./folder.ts";
import { InputView } from "./input-view.tsx";
import { type Need, PermissionForm } from "./permission-forms.tsx";
import { type KeyChoice, useKeys } from "./use-keys.ts";

interface CardProps {
  readonly app: App;
  readonly question: Question;
  /** Whether this card handles keys while no card has the focus. */
  readonly hasKeys: boolean;
}

interface Choice extends KeyChoice {
  readonly label: string;
  readonly isMain?: boolean;
}

/** How many of the choices allow the call; they form one group, and those that deny it another. */
const ALLOWING = 4;

/** Asks whether a tool may run; shows exactly what would run, and all possible answers. */
export function PermissionCard({ app, question, hasKeys }: CardProps) {
  const [need, setNeed] = useState<Need | undefined>(undefined);
  const [isBusy, setBusy] = useState(false);
  const card = useRef<HTMLElement>(null);
  const folder = useContext(Folder);
  const decide = async (decision: Decision) => {
    setBusy(true);
    await app.decide(question, decision);
    setBusy(false);
  };
  const deny = (stop: boolean) => void decide({ case: "deny", value: { stop } });
  const choices: readonly Choice[] = [
    { key: "y", label: "Allow once", run: () => void decide({ case: "allow", value: {} }), isMain: true },
    { key: "s", label: "For this session…", run: () => setNeed("session") },
    { key: "a", label: "Always…", run: () => setNeed("project") },
    { key: "e", label: "Edit…", run: () => setNeed("input") },
    { key: "n", label: "Deny", run: () => deny(false) },
    { key: "d", label: "Deny because…", run: () => setNeed("reason") },
    { key: "x", label: "Deny and stop", run: () => deny(true) },
  ];
  useKeys(choices, card, hasKeys, need === undefined && !isBusy);
  const input = parseInput(question.inputJson);
  const edit = editOf(question.toolName, input);
  const back = () => {
    setNeed(undefined);
    card.current?.focus();
  };
  return (
    <section ref={card} class="card permission" tabIndex={-1} aria-label={`Allow ${question.toolName}?`}>
      <h2>
        Allow <strong>{question.toolName}</strong>?
        {edit && <span class="path">{within(edit.path, folder)}</span>}
      </h2>
      <div class="card-body">
        {edit ? <DiffView edit={edit} /> : <InputView name={question.toolName} input={input} />}
      </div>
      <p class="why">{whyOf(question, folder)}</p>
      {need === undefined ? (
        <div class="choices">
          {[choices.slice(0, ALLOWING), choices.slice(ALLOWING)].map((group, index) => (
            <div key={index} class="choice-group">
              {group.map(({ key, label, run, isMain }) => (
                <button
                  key={key}
                  type="button"
                  class={isMain ? "primary" : ""}
                  disabled={isBusy}
                  onClick={run}
                  aria-keyshortcuts={key}
                  {...(isMain && { "data-first": true })}
                >
                  {label} <kbd>{key}</kbd>
                </button>
              ))}
            </div>
          ))}
        </div>
      ) : (
        <PermissionForm
          key={need === "user" ? "project" : need}
          question={question}
          need={need}
          onNeed={setNeed}
          onDecide={(decision) => void decide(decision)}
          onCancel={back}
        />
      )}
    </section>
  );
}

/** The reason for the question, and its deadline. */
function whyOf(question: Question, folder: string): string {
  const { reason, blockedPath, parentToolUseId } = question;
  const about = within(blockedPath, folder);
  const parts = [
    parentToolUseId === "" ? "" : "asked by a subagent",
    // The call's own description is already shown above.
    reason === textField(parseInput(question.inputJson), "description") ? "" : within(reason, folder),
    about === "" || reason.includes(about) ? "" : `about ${about}`,
    deadlineWords(question, Date.now()),
  ];
  return parts.filter(Boolean).join(" · ");
}
