import { startFold } from "@agentwire/models";
import type { NextCall, Services } from "./conversation.ts";
import { History, type HistoryMessage } from "./history.ts";

/** Something to be asked of the model beside a conversation. */
export interface SideQuery {
  readonly call: NextCall;
  /** The conversation so far; it does not hear of the question. */
  readonly messages: readonly HistoryMessage[];
  readonly question: string;
  readonly maxTokens: number;
}

/** Asks the model something beside a conversation; returns its answer. What it costs is counted. */
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

/** The first line of an answer that was to have one. */
export const firstLine = (text: string) => text.split("\n", 1)[0] ?? "";
