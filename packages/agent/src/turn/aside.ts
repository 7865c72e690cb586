import { startFold } from "../model/fold.ts";
import type { NextCall, Services } from "./conversation.ts";
import { History, type HistoryMessage } from "./history.ts";

/** Something to be asked of the model beside a conversation. */
export interface Aside {
  readonly call: NextCall;
  /** The conversation so far; it does not hear of the question. */
  readonly messages: readonly HistoryMessage[];
  readonly question: string;
  readonly maxTokens: number;
}

/** Asks the model something beside a conversation; returns the first line of its answer. What it costs is counted. */
export async function askAside(
  { model, costs }: Pick<Services, "model" | "costs">,
  { call, messages, question, maxTokens }: Aside,
  signal: AbortSignal,
): Promise<string> {
  const asked = new History(messages);
  asked.add("user", question);
  const { thinking: _thinking, taskBudget: _budget, ...rest } = call;
  const fold = startFold();
  const { events } = await model.call({ ...rest, maxTokens, messages: asked.messages }, signal);
  for await (const event of events) fold.push(event);
  costs.add(fold.message.model, fold.message.usage, false);
  const text = fold.message.content.find((block) => block.type === "text")?.text ?? "";
  return text.trim().split("\n")[0] ?? "";
}
