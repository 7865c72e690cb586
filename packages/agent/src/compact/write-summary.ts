import { ModelError, startFold } from "@agentwire/models";
import { errorMessage } from "@agentwire/protocol/support";
import { callWithRetries, startRetries } from "../model/retry.ts";
import type { Conversation, Services } from "../turn/conversation.ts";
import { History, type HistoryMessage } from "../turn/history.ts";
import { leaveOutRefused, MAX_LEFT_OUT } from "../turn/leave-out.ts";
import { compactionPrompt, readSummary } from "./summary.ts";

/** The summary that the model wrote, or why there is none. */
export type Summary = { readonly text: string } | { readonly problem: string };

/** Asks the model to summarize messages; `instructions` are the user's wishes for the summary. */
export async function writeSummary(
  { services, nextCall }: { readonly services: Services; readonly nextCall: Conversation["nextCall"] },
  messages: readonly HistoryMessage[],
  instructions: string,
  signal: AbortSignal,
): Promise<Summary> {
  const { config, model, costs } = services;
  const asked = new History(messages);
  asked.add("user", compactionPrompt(instructions || undefined));
  try {
    const retries = startRetries({ maxRetries: config.maxRetries, onRetry() {} });
    const reply = await withoutRefused(asked, () =>
      callWithRetries(model, { ...nextCall(), messages: asked.messages }, retries, signal),
    );
    const fold = startFold();
    for await (const event of reply.events) fold.push(event);
    costs.add(fold.message.model, fold.message.usage, false);
    const texts = fold.message.content.flatMap((block) => (block.type === "text" ? [block.text] : []));
    const text = readSummary(texts.join("\n"));
    return text === undefined ? { problem: "The model wrote no summary." } : { text };
  } catch (error) {
    if (signal.aborted) return { problem: "The compaction was interrupted." };
    return { problem: errorMessage(error) };
  }
}

/** Retries without the content that the provider rejects: that content may be the reason for the compaction. */
async function withoutRefused<T>(asked: History, call: () => Promise<T>): Promise<T> {
  for (let left = 0; ; left++) {
    try {
      return await call();
    } catch (error) {
      if (!(error instanceof ModelError) || left >= MAX_LEFT_OUT || !leaveOutRefused(asked, error))
        throw error;
    }
  }
}
