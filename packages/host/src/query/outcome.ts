import type { SDKMessage } from "../sdk/messages.ts";

/** Remembers whether the last that a session said is a failure: it tells more than the exit code that follows. */
export class Outcome {
  #errorText: string | undefined;

  /** The text of the error result that nothing came after. */
  get errorText(): string | undefined {
    return this.#errorText;
  }

  note(message: SDKMessage): void {
    if (message.type === "result") this.#noteResult(message);
    // Notices between the result and the exit say nothing new about how it went.
    else if (message.type !== "system") this.#errorText = undefined;
  }

  #noteResult(result: Extract<SDKMessage, { type: "result" }>): void {
    const isEmpty = result.subtype === "success" && result.num_turns === 0 && result.result === "";
    // A local command after a failure asked no model: the failure is still the last word.
    if (isEmpty && !result.is_error) return;
    this.#errorText = result.is_error ? textOf(result) || undefined : undefined;
  }
}

function textOf(result: Extract<SDKMessage, { type: "result" }>): string {
  if (result.subtype === "success") return result.result;
  const { errors = [] } = result as { errors?: readonly unknown[] };
  return errors
    .map((error) => String(error).trim())
    .filter((text) => text !== "")
    .join("; ");
}
