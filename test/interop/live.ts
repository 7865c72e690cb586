import type { Options, Query, SDKMessage, SDKUserMessage } from "@anthropic-ai/claude-agent-sdk";
import type { Bench, Talk } from "./bench.ts";

/** A conversation that stays open: prompts are sent one by one, and messages are read up to a certain one. */
export interface Live {
  readonly query: Query;
  send(text: string, more?: Partial<SDKUserMessage>): void;
  /** Reads up to the next message of this type, and returns it. */
  until<T extends SDKMessage["type"]>(type: T): Promise<Extract<SDKMessage, { type: T }>>;
  /** Closes the agent's input and reads to the end; returns all messages since the start. */
  end(): Promise<Talk>;
}

/** Opens a conversation with a stream as its prompt. */
export function openLive(bench: Bench, options?: Options): Live {
  const prompts = new PromptStream();
  const query = bench.query(prompts, options);
  const messages: SDKMessage[] = [];
  const next = async () => {
    const { value, done } = await query.next();
    if (!done) messages.push(value);
    return done ? undefined : value;
  };
  return {
    query,
    send: (text, more) => prompts.push(userMessage(text, more)),
    async until(type) {
      for (let message = await next(); message; message = await next()) {
        if (message.type === type) return message as never;
      }
      throw new Error(`the query ended without ${type}`);
    },
    async end() {
      prompts.close();
      try {
        while (await next());
        return { messages, error: undefined };
      } catch (error) {
        return { messages, error: error as Error };
      }
    },
  };
}

/** A prompt as hosts send it. */
export function userMessage(text: string, more: Partial<SDKUserMessage> = {}): SDKUserMessage {
  return { type: "user", message: { role: "user", content: text }, parent_tool_use_id: null, ...more };
}

class PromptStream implements AsyncIterable<SDKUserMessage> {
  readonly #waiting: SDKUserMessage[] = [];
  #closed = false;
  #wake = () => {};

  push(message: SDKUserMessage): void {
    this.#waiting.push(message);
    this.#wake();
  }

  close(): void {
    this.#closed = true;
    this.#wake();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<SDKUserMessage, void> {
    for (;;) {
      const message = this.#waiting.shift();
      if (message) yield message;
      else if (this.#closed) return;
      else await new Promise<void>((resolve) => (this.#wake = resolve));
    }
  }
}
