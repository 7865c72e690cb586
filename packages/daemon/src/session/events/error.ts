import type { Redact } from "@agentwire/protocol/support";
import type { Draft } from "../../store/draft.ts";

/** An error as clients see it. */
export interface Failure {
  readonly code: string;
  readonly message: string;
  /** Whether the session has stopped and needs a new prompt to continue. */
  readonly fatal?: boolean;
  readonly stderrTail?: string;
}

/** An error event. */
export function errorDraft({ code, message, fatal = false, stderrTail = "" }: Failure): Draft {
  return { body: { case: "error", value: { code, message, fatal, stderrTail } } };
}

/** The same event; secrets are removed from errors. */
export function withoutSecrets(draft: Draft, redact: Redact): Draft {
  const { body } = draft;
  switch (body.case) {
    case "error": {
      const { message = "", stderrTail = "" } = body.value;
      const value = { ...body.value, message: redact(message), stderrTail: redact(stderrTail) };
      return { ...draft, body: { case: "error", value } };
    }
    case "turnComplete":
      return body.value.errors && body.value.errors.length > 0
        ? {
            ...draft,
            body: { case: "turnComplete", value: { ...body.value, errors: body.value.errors.map(redact) } },
          }
        : draft;
    case "rawMessage":
      // A malformed line may be an error message of the agent, or of a program that it started.
      return body.value.type === "malformed" ? withoutSecretsInLine(draft, body.value.json, redact) : draft;
    default:
      return draft;
  }
}

function withoutSecretsInLine(draft: Draft, json: string | undefined, redact: Redact): Draft {
  const { body, line } = draft;
  if (body.case !== "rawMessage") return draft;
  const said: unknown = JSON.parse(json || "{}", (_, value) =>
    typeof value === "string" ? redact(value) : value,
  );
  const value = { ...body.value, json: JSON.stringify(said) };
  return { ...draft, body: { case: "rawMessage", value }, ...(line !== undefined && { line: redact(line) }) };
}
