import type { ContentBlock } from "@agentwire/protocol";
import type { ModelMessage } from "./model/model.ts";

/** The conversation as the model gets it. Neighbours of one role are one message, as the API wants them. */
export class History {
  #messages: ModelMessage[];

  constructor(messages: readonly ModelMessage[] = []) {
    this.#messages = [...messages];
  }

  get messages(): readonly ModelMessage[] {
    return this.#messages;
  }

  /** Adds to the last message if the role is the same, else begins a new one. */
  add(role: ModelMessage["role"], content: string | readonly ContentBlock[]): void {
    const last = this.#messages.at(-1);
    if (last?.role === role) {
      this.#messages[this.#messages.length - 1] = {
        role,
        content: [...blocksOf(last.content), ...blocksOf(content)],
      };
    } else {
      this.#messages.push({ role, content });
    }
  }

  /** Begins anew, with a summary or with nothing. */
  replace(messages: readonly ModelMessage[]): void {
    this.#messages = [...messages];
  }
}

/** Content as blocks, whatever way it was given. */
export function blocksOf(content: string | readonly ContentBlock[]): readonly ContentBlock[] {
  if (typeof content !== "string") return content;
  return content === "" ? [] : [{ type: "text", text: content }];
}
