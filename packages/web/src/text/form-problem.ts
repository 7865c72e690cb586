import { textOfError } from "../client.ts";

/** Why a form was not accepted, and the field concerned; `field` is empty if it is unknown. */
export interface FormProblem {
  readonly field: string;
  readonly text: string;
}

/** Converts an error to a form problem; the daemon's messages about a field start with the field's name. */
export function problemOf(error: unknown): FormProblem {
  const text = textOfError(error);
  const [, field = "", rest = ""] = /^(\w+): (.*)$/s.exec(text) ?? [];
  if (rest === "") return { field: "", text };
  return { field: field.toLowerCase(), text: `${rest.charAt(0).toUpperCase()}${rest.slice(1)}` };
}
