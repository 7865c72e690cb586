import { randomUUID } from "node:crypto";
import type { Outlet } from "../host/outlet.ts";
import { shouldCompact } from "../model/context-window.ts";
import type { ModelState } from "../model/model-state.ts";
import type { Records } from "../store/records.ts";
import type { NextCall, Services } from "../turn/conversation.ts";
import type { Costs } from "../turn/costs.ts";
import type { History, HistoryMessage } from "../turn/history.ts";
import { boundaryEntry, type Compaction, compactMetadata, SUMMARY_LINE } from "./boundary.ts";
import { planCompaction } from "./plan.ts";
import { summaryMessage } from "./summary.ts";
import { type Summary, writeSummary } from "./write-summary.ts";

/** The parts of a session that compaction uses. */
export interface Compactable {
  readonly services: Services;
  readonly history: History;
  readonly records: Records;
  readonly outlet: Outlet;
  nextCall(): NextCall;
  /** Opens the turn. */
  open(): void;
  /** Runs the SessionStart hooks of a conversation that begins with a summary. */
  restart(signal: AbortSignal): Promise<void>;
}

/** Compacts the conversation if its last model call almost filled the context window, or the provider refused it as too long; returns whether it did. */
export async function compactIfFull(
  session: Compactable,
  signal: AbortSignal,
  isRefused: boolean,
): Promise<boolean> {
  const { costs, models } = session.services;
  if (isRefused ? !planCompaction(session.history.messages) : !isNearlyFull(costs, models)) return false;
  return (await compact(session, "auto", "", signal)) === undefined;
}

const isNearlyFull = (costs: Costs, models: ModelState) =>
  shouldCompact(costs.contextTokens, models.contextWindow);

/**
 * Replaces a session's conversation with a summary written by the model, keeping the last exchange. If that is not possible, the
 * conversation stays unchanged and the reason is returned.
 */
export async function compact(
  session: Compactable,
  trigger: "manual" | "auto",
  instructions: string,
  signal: AbortSignal,
): Promise<string | undefined> {
  const { services, history, outlet } = session;
  const startedAt = performance.now();
  outlet.tell({ type: "system", subtype: "status", status: "compacting" });
  const plan = planCompaction(history.messages);
  const summary = plan
    ? await summarise(session, plan.summarise, trigger, instructions, signal)
    : { problem: "There is nothing to compact yet." };
  const problem = "problem" in summary ? summary.problem : undefined;
  outlet.tell({
    type: "system",
    subtype: "status",
    status: null,
    compact_result: problem === undefined ? "success" : "failed",
    ...(problem !== undefined && { compact_error: problem }),
  });
  if (trigger === "manual") session.open();
  if (!plan || !("text" in summary)) return problem;
  const preTokens = services.costs.contextTokens;
  replaceBy(session, summary.text, plan.keep, { trigger, preTokens, startedAt });
  await session.restart(signal);
  if (services.hooks.listens("PostCompact"))
    await services.hooks.run("PostCompact", { trigger, compact_summary: summary.text }, { signal });
  return undefined;
}

async function summarise(
  session: Compactable,
  messages: readonly HistoryMessage[],
  trigger: "manual" | "auto",
  instructions: string,
  signal: AbortSignal,
): Promise<Summary> {
  const { hooks } = session.services;
  if (hooks.listens("PreCompact")) {
    const facts = { trigger, custom_instructions: instructions || null };
    const said = await hooks.run("PreCompact", facts, { signal });
    if (said.block) return { problem: `A hook blocked the compaction: ${said.block.reason}` };
  }
  return writeSummary(session, messages, instructions, signal);
}

function replaceBy(
  { history, records, outlet, services }: Compactable,
  summary: string,
  keep: readonly HistoryMessage[],
  facts: { readonly trigger: "manual" | "auto"; readonly preTokens: number; readonly startedAt: number },
): void {
  const uuid = randomUUID();
  const text = summaryMessage(summary);
  history.replace([{ role: "user", content: text, uuids: [uuid] }, ...keep]);
  // The new size of the conversation is known only after its next call.
  services.costs.contextTokens = 0;
  const compaction: Compaction = {
    trigger: facts.trigger,
    preTokens: facts.preTokens,
    postTokens: Math.ceil(JSON.stringify(history.messages).length / 4),
    durationMs: Math.round(performance.now() - facts.startedAt),
    summaryUuid: uuid,
    keptUuids: keep.flatMap(({ uuids }) => uuids),
  };
  outlet.tell({ type: "system", subtype: "compact_boundary", compact_metadata: compactMetadata(compaction) });
  const place = { uuid: randomUUID(), timestamp: new Date().toISOString(), lastUuid: records.lastUuid };
  records.note(boundaryEntry(compaction, place));
  const message = { role: "user" as const, content: text };
  outlet.tell({ type: "user", message, parent_tool_use_id: null, uuid, isReplay: false, isSynthetic: true });
  records.add({ uuid, type: "user", message, extra: SUMMARY_LINE });
}
