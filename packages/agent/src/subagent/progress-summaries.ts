import type { Conversation, Services } from "../turn/conversation.ts";
import { askBeside, firstLine } from "../turn/side-query.ts";

const QUESTION =
  "Say in three to six words what you are doing right now, in the present tense, as in: Reading the test setup. Calls without a result are still running. Call no tools and write nothing else.";
const MAX_TOKENS = 60;
const MAX_CHARS = 120;
const REST_MS = 30_000;

/** The parts of a conversation that summaries need. */
export interface Summarised extends Pick<Conversation, "history" | "nextCall"> {
  readonly services: Pick<Services, "model" | "costs">;
}

/**
 * Has the model summarize regularly what a subagent is doing, if its conversation has advanced; returns a function that stops
 * this. It never delays anything.
 */
export function summariseProgress(
  { services, history, nextCall }: Summarised,
  tell: (summary: string) => void,
  restMs = REST_MS,
): () => void {
  const ended = new AbortController();
  let known = history.messages.length;
  let timer: NodeJS.Timeout;
  const rest = () => {
    timer = setTimeout(() => void look(), restMs);
    timer.unref();
  };
  const look = async () => {
    const { messages } = history;
    if (messages.length !== known) {
      known = messages.length;
      const aside = { call: nextCall(), messages, question: QUESTION, maxTokens: MAX_TOKENS };
      const signal = AbortSignal.any([ended.signal, AbortSignal.timeout(REST_MS)]);
      // A failed summary is not reported.
      const summary = firstLine(await askBeside(services, aside, signal).catch(() => ""));
      if (summary !== "" && summary.length <= MAX_CHARS && !ended.signal.aborted) tell(summary);
    }
    if (!ended.signal.aborted) rest();
  };
  rest();
  return () => {
    clearTimeout(timer);
    ended.abort();
  };
}
