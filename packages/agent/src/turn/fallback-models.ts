import type { ModelError } from "@agentwire/models";
import { isPromptTooLong } from "../model/error-kind.ts";
import type { Conversation } from "./conversation.ts";
import { afterSwitch } from "./model-switch.ts";

const OVERLOADED = 529;
const NOT_FOUND = 404;
const OVERLOADS_BEFORE_FALLBACK = 3;

/**
 * Makes other models answer for the rest of a turn, in place of one that is repeatedly overloaded, too small, or does not exist.
 */
export class FallbackModels {
  readonly #conversation: Conversation;
  /** How often in a row the model was overloaded. */
  #overloads = 0;

  constructor(conversation: Conversation) {
    this.#conversation = conversation;
  }

  /** Switches to another model after a failure, if possible; returns whether it did. */
  async takeOver(model: string, error: ModelError, signal: AbortSignal): Promise<boolean> {
    const isAway = error.status === OVERLOADED || error.type === "connection_error";
    this.#overloads = isAway ? this.#overloads + 1 : 0;
    const isTooSmall = isPromptTooLong(error);
    if (this.#overloads < OVERLOADS_BEFORE_FALLBACK && error.status !== NOT_FOUND && !isTooSmall)
      return false;
    const { services, history } = this.#conversation;
    const { hooks, models, costs } = services;
    const other = models.fallBack(model, isTooSmall);
    if (other === undefined) return false;
    this.#overloads = 0;
    this.#conversation.tell({
      type: "system",
      subtype: "informational",
      content: `${model} ${whyNot(error)}; ${other} answers for the rest of this turn.`,
      level: "warning",
    });
    const switched = { from: model, to: other, wanted: null, source: "auto" } as const;
    await afterSwitch({ hooks, models, costs, history }, switched, signal);
    return true;
  }
}

function whyNot(error: ModelError): string {
  if (isPromptTooLong(error)) return "is too small for this conversation";
  if (error.status === NOT_FOUND) return "is not available";
  return error.status === OVERLOADED ? "is overloaded" : "can't be reached";
}
