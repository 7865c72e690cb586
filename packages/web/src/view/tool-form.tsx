import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { type FormProblem, problemOf } from "../text/form-problem.ts";
import { FieldProblem } from "./field-problem.tsx";

/** A form on its way to the daemon. */
interface Submission {
  /** What is wrong with it; undefined while nothing is. */
  readonly problem: FormProblem | undefined;
  readonly submit: (event: Event) => void;
}

/** Sends a form: what `send` returns or rejects with is what is wrong with it. */
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
  /** What came of it. */
  readonly answer?: ComponentChildren;
  readonly children: ComponentChildren;
}

/** A form of the pages for rules, servers and hooks: what is wrong with it and what came of it stand above its button. */
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

/** The button of a form that adds something. */
export const ADD = (
  <button type="submit" class="primary">
    Add
  </button>
);

/** The button of a form that only asks. */
export const FIND_OUT = <button type="submit">Find out</button>;

/** The id of what is wrong with a form, for the field that it is about. */
export const problemId = (label: string): string => `${label.replaceAll(" ", "-").toLowerCase()}-problem`;
