import { textOfError } from "../client.ts";

/** Why a form was not accepted, and the field that it is about; the whole form if that is not known. */
export interface FormProblem {
  readonly field: string;
  readonly text: string;
}

/** What the daemon says about a field begins with its name. */
export function problemOf(error: unknown): FormProblem {
  const text = textOfError(error);
  const [, field = "", rest = ""] = /^(\w+): (.*)$/s.exec(text) ?? [];
  if (rest === "") return { field: "", text };
  return { field: field.toLowerCase(), text: `${rest.charAt(0).toUpperCase()}${rest.slice(1)}` };
}
