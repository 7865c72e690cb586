import { randomUUID } from "node:crypto";
import { planCompaction } from "../compact/plan.ts";
import { summaryMessage } from "../compact/summary.ts";
import { writeSummary } from "../compact/write-summary.ts";
import { shouldCompact } from "../model/context-window.ts";
import type { Conversation } from "../turn/conversation.ts";

/** Replaces a subagent's conversation by a summary if it has almost filled its window; false if it stays what it is. */
export async function compactSubagent(
  conversation: Conversation,
  { tokens, window }: { readonly tokens: number; readonly window: number },
  signal: AbortSignal,
): Promise<boolean> {
  const { history, record } = conversation;
  const plan = shouldCompact(tokens, window) ? planCompaction(history.messages) : undefined;
  if (!plan) return false;
  const summary = await writeSummary(conversation, plan.summarise, "", signal);
  if (!("text" in summary)) return false;
  const uuid = randomUUID();
  const content = summaryMessage(summary.text);
  history.replace([{ role: "user", content, uuids: [uuid] }, ...plan.keep]);
  record({ uuid, type: "user", message: { role: "user", content }, extra: { isCompactSummary: true } });
  return true;
}
