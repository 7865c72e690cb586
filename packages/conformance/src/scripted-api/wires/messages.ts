import type { Wire } from "./wire.ts";

/** Anthropic's own wire. */
export const messages: Wire = {
  toMessages: (body) => body,
  write: () => ({
    event: (event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`,
    end: () => "",
  }),
  whole: (message) => message,
  failure: (_status, error) => ({ type: "error", error }),
};
