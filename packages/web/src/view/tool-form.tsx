import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { type FormProblem, problemOf } from "../text/form-problem.ts";
import { FieldProblem } from "./field-problem.tsx";

/** The submission state of a form. */
interface Submission {
  /** The error of the last submission; undefined if there is none. */
  readonly problem: FormProblem | undefined;
  readonly submit: (event: Event) => void;
}

/** Submits a form; whatever problem `send` returns, or error it rejects with, is reported as the form's problem. */
export function useSubmission(send: () => Promise<FormProblem | undefined>): Submission {
  const [problem, setProblem] = useState<FormProblem>();
  return {
    problem,
    submit: (event) => {
      event.preventDefault();
      send().then(setProblem, (error: unknown) => setProblem(problemOf(error)));
    },
  };
}

interface ToolFormProps extends Submission {
  readonly label: string;
  readonly title: string;
  readonly action: ComponentChildren;
  /** The result of the submission. */
  readonly answer?: ComponentChildren;
  readonly children: ComponentChildren;
}

/** A form on the pages for rules, servers and hooks; its error and result are shown above its button. */
export function ToolForm({ label, title, action, answer, problem, submit, children }: ToolFormProps) {
  return (
    <form class="form tool-form" aria-label={label} onSubmit={submit}>
      <h2>{title}</h2>
      {children}
      <FieldProblem id={problemId(label)} text={problem?.text ?? ""} />
      {answer !== undefined && <div role="status">{answer}</div>}
      <p class="actions">{action}</p>
    </form>
  );
}

/** The submit button of a form that adds something. */
export const ADD = (
  <button type="submit" class="primary">
    Add
  </button>
);

/** The submit button of a form that only checks something. */
export const FIND_OUT = <button type="submit">Check</button>;

/** The id of a form's error message, for `aria-describedby`. */
export const problemId = (label: string): string => `${label.replaceAll(" ", "-").toLowerCase()}-problem`;
