import type { Input, Standing } from "../session/input.ts";
import { clock } from "./words.ts";

/** What people are told of who may send; empty while everybody may. */
export function inputWords(standing: Standing, { reason }: Input): string {
  switch (standing.type) {
    case "everybody":
      return "";
    case "ours": {
      const [first] = standing.requests;
      if (first) return `Only you may send, and ${first.client} asks for the input.`;
      // Whoever took it knows that.
      return reason === "" || reason === "they took it"
        ? "Only you may send now."
        : `Only you may send now: ${reason}.`;
    }
    case "free to ask":
      return `Only ${standing.holder} may send now${reason === "" ? "" : `: ${reason}`}.`;
    case "waiting":
      return `${standing.holder} is asked for the input. Unless they answer, it is yours at ${clock(standing.untilMs)}.`;
    case "refused":
      return `${standing.holder} keeps the input.`;
  }
}
