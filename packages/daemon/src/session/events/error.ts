import type { Draft } from "./draft.ts";

/** What clients are told of a failure. */
export interface Failure {
  readonly code: string;
  readonly message: string;
  /** Whether the session can't go on by itself. */
  readonly fatal?: boolean;
  readonly stderrTail?: string;
}

/** An event that tells of a failure. */
export function errorDraft({ code, message, fatal = false, stderrTail = "" }: Failure): Draft {
  return { body: { case: "error", value: { code, message, fatal, stderrTail } } };
}
