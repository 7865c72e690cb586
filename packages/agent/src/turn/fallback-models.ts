import type { ModelError } from "@agentwire/models";
import type { Conversation } from "./conversation.ts";
import { afterSwitch } from "./model-switch.ts";

const OVERLOADED = 529;
const NOT_FOUND = 404;
const OVERLOADS_BEFORE_FALLBACK = 3;

/** Has other models answer, for the rest of a turn, in place of one that is too busy again and again, or not there at all. */
export class FallbackModels {
  readonly #conversation: Conversation;
  /** How often in a row the model was too busy. */
  #overloads = 0;

  constructor(conversation: Conversation) {
    this.#conversation = conversation;
  }

  /** Whether another model takes over after this failure. */
  async takeOver(model: string, error: ModelError, signal: AbortSignal): Promise<boolean> {
    this.#overloads = error.status === OVERLOADED ? this.#overloads + 1 : 0;
    if (this.#overloads < OVERLOADS_BEFORE_FALLBACK && error.status !== NOT_FOUND) return false;
    const { services, history } = this.#conversation;
    const { hooks, models, costs } = services;
    const other = models.fallBack(model);
    if (other === undefined) return false;
    this.#overloads = 0;
    const why = error.status === NOT_FOUND ? "is not available" : "is overloaded";
    this.#conversation.tell({
      type: "system",
      subtype: "informational",
      content: `${model} ${why}; ${other} answers for the rest of this turn.`,
      level: "warning",
    });
    const switched = { from: model, to: other, wanted: null, source: "auto" } as const;
    await afterSwitch({ hooks, models, costs, history }, switched, signal);
    return true;
  }
}
