import type { ModelError } from "@agentwire/models";
import type { JsonObject } from "@agentwire/protocol";
import { leftOutLine } from "../store/left-out.ts";
import type { Conversation } from "./conversation.ts";
import type { History } from "./history.ts";
import { longestBlock, rejectedBlocks } from "./rejected-blocks.ts";
import { leftOut } from "./valid-blocks.ts";

/** How many refusals in a row are handled by leaving something out. */
export const MAX_LEFT_OUT = 8;
const MAX_REASON_CHARS = 300;

/** What was removed from a conversation. */
export interface LeftOut {
  /** For the user. */
  readonly text: string;
  /** For the transcript, so that the next process also leaves it out. */
  readonly line: JsonObject;
}

/** Replaces the blocks that a provider refuses with a note for the model; undefined if the error has another cause. */
export function leaveOutRefused(history: History, error: ModelError): LeftOut | undefined {
  const places = rejectedBlocks(error, history.messages);
  if (places.length === 0) return undefined;
  const reason = error.message.replace(/\s+/g, " ").slice(0, MAX_REASON_CHARS);
  const note = leftOut(`the API refused what was here (${reason})`);
  const blocks = history.leaveOut(places, note);
  const kinds = [...new Set(blocks.map(({ type }) => type))].join(", ");
  return {
    text: `The API refused part of the conversation (${kinds}): ${reason}. It is left out from now on.`,
    line: leftOutLine(blocks, note),
  };
}

/**
 * Handles the refusals of one turn: refused content would make every later turn fail, so it is removed, and the host is notified.
 */
export class RejectedContent {
  readonly #conversation: Conversation;
  #count = 0;

  constructor(conversation: Conversation) {
    this.#conversation = conversation;
  }

  /** Whether something was left out, so that the model can be called again. */
  leaveOut(error: ModelError): boolean {
    const { history, tell, note } = this.#conversation;
    const left = this.#count < MAX_LEFT_OUT ? leaveOutRefused(history, error) : undefined;
    if (!left) return false;
    this.#count++;
    note?.(left.line);
    tell({ type: "system", subtype: "informational", content: left.text, level: "warning" });
    return true;
  }

  /**
   * Called when a turn failed because the conversation is too long even after summarizing: removes the content that filled it.
   */
  leaveOutLongest(): void {
    const { history, tell, note } = this.#conversation;
    const place = longestBlock(history.messages);
    if (!place) return;
    const stand = leftOut("a part of the conversation that was too long for the model");
    const blocks = history.leaveOut([place], stand);
    note?.(leftOutLine(blocks, stand));
    const content =
      "The last message is too long for the model. It is left out, and the conversation can continue without it.";
    tell({ type: "system", subtype: "informational", content, level: "warning" });
  }
}
