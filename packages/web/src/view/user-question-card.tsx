import type { Elicitation, Question, UserQuestion } from "@agentwire/api";
import { useState } from "preact/hooks";
import type { App } from "../app.ts";
import { answerOf, type Choice, inputOf, NO_CHOICE, proposed, toggled, withOwn } from "../text/answers.ts";
import { deadlineWords } from "../text/words.ts";

interface CardProps {
  readonly app: App;
  readonly question: Question;
}

const DECLINED = "The user declined to answer.";

/** Shows questions from the agent or an MCP server; each can be answered with options, free text, or both. */
export function UserQuestionCard({ app, question }: CardProps) {
  const { userQuestions: asked, elicitation } = question;
  const [choices, setChoices] = useState<readonly Choice[]>(asked.map(proposed));
  const [isBusy, setBusy] = useState(false);
  const deadline = deadlineWords(question, Date.now());
  const answers = asked.map((each, index) => answerOf(each, choices[index] ?? NO_CHOICE));
  const isComplete = answers.every((text, index) => text !== "" || asked[index]?.optional);
  const change = (index: number, choice: Choice) =>
    setChoices(choices.map((each, place) => (place === index ? choice : each)));
  const run = async (work: () => Promise<void>) => {
    setBusy(true);
    await work();
    setBusy(false);
  };
  const answer = () =>
    run(() =>
      app.answer(
        question,
        Object.fromEntries(asked.map((each, index) => [each.question, answers[index] ?? ""])),
      ),
    );
  const decline = () => run(() => app.decide(question, { case: "deny", value: { message: DECLINED } }));
  return (
    <form
      class="card ask"
      aria-label={elicitation ? `${elicitation.server || "The agent"} asks` : "The agent asks"}
      onSubmit={(event) => {
        event.preventDefault();
        void answer();
      }}
    >
      {elicitation && <Asker elicitation={elicitation} />}
      {asked.map((each, index) => (
        <OneQuestion
          key={index}
          name={`${question.id}-${index}`}
          asked={each}
          choice={choices[index] ?? NO_CHOICE}
          onChange={(choice) => change(index, choice)}
        />
      ))}
      {deadline !== "" && <p class="why">{deadline}</p>}
      <div class="choices">
        <button type="submit" class="primary" disabled={isBusy || !isComplete}>
          Answer
        </button>
        <button type="button" disabled={isBusy} onClick={() => void decline()}>
          Decline
        </button>
      </div>
    </form>
  );
}

/** Says who asks for what; a page to open is shown with its full URL, since it may be on any site. */
function Asker({ elicitation: { server, message, url } }: { readonly elicitation: Elicitation }) {
  return (
    <p class="asker">
      <strong>{server || "The agent"}</strong> asks: {message}
      {url !== "" && (
        <a href={url} target="_blank" rel="noreferrer noopener">
          {url}
        </a>
      )}
    </p>
  );
}

interface OneProps {
  readonly name: string;
  readonly asked: UserQuestion;
  readonly choice: Choice;
  readonly onChange: (choice: Choice) => void;
}

function OneQuestion({ name, asked, choice, onChange }: OneProps) {
  const { question, header, options, multiSelect, onlyOptions, optional } = asked;
  const previewed = options.find(({ label, preview }) => preview !== "" && choice.labels.includes(label));
  return (
    <fieldset>
      <legend>
        {header !== "" && header !== question && <span class="tag">{header}</span>} {question}
        {optional && <span class="option-words">optional</span>}
      </legend>
      {options.map(({ label, description }, index) => (
        <label key={label} class="option">
          <input
            type={multiSelect ? "checkbox" : "radio"}
            name={name}
            checked={choice.labels.includes(label)}
            onChange={() => onChange(toggled(asked, choice, label))}
            {...(index === 0 && { "data-first": true })}
          />
          <span>
            <strong>{label}</strong>
            {description !== "" && description !== label && <span class="option-words">{description}</span>}
          </span>
        </label>
      ))}
      {previewed && <pre class="preview">{previewed.preview}</pre>}
      {onlyOptions ? null : (
        <input
          class="own"
          {...inputOf(asked)}
          aria-label={options.length > 0 ? "Your own answer" : question}
          placeholder={options.length > 0 ? "Something else" : "Your answer"}
          value={choice.own}
          onInput={(event) => onChange(withOwn(asked, choice, event.currentTarget.value))}
          {...(options.length === 0 && { "data-first": true })}
        />
      )}
    </fieldset>
  );
}
