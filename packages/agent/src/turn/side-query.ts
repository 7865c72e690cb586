import { startFold } from "@agentwire/models";
import type { NextCall, Services } from "./conversation.ts";
import { History, type HistoryMessage } from "./history.ts";

/** A question to the model outside a conversation. */
export interface SideQuery {
  readonly call: NextCall;
  /** The conversation so far; the question is not added to it. */
  readonly messages: readonly HistoryMessage[];
  readonly question: string;
  readonly maxTokens: number;
}

/** Asks the model something outside a conversation; returns its answer. The cost is counted. */
export async function askBeside(
  { model, costs }: Pick<Services, "model" | "costs">,
  { call, messages, question, maxTokens }: SideQuery,
  signal: AbortSignal,
): Promise<string> {
  const asked = new History(messages);
  asked.add("user", question);
  const { thinking: _thinking, taskBudget: _budget, ...rest } = call;
  const fold = startFold();
  const { events } = await model.call({ ...rest, maxTokens, messages: asked.messages }, signal);
  for await (const event of events) fold.push(event);
  costs.add(fold.message.model, fold.message.usage, false);
  return (fold.message.content.find((block) => block.type === "text")?.text ?? "").trim();
}

/** The first line of an answer that should have only one. */
export const firstLine = (text: string) => text.split("\n", 1)[0] ?? "";
