import { randomUUID } from "node:crypto";
import { boundaryEntry, type Compaction, compactMetadata, SUMMARY_LINE } from "./compact/boundary.ts";
import { compactionPrompt, readSummary, summaryMessage } from "./compact/summary.ts";
import type { ModelMessage } from "./model/model.ts";
import type { Session } from "./session.ts";
import { tellOutput } from "./slash/builtin.ts";

/** Replaces a session's conversation by a summary that the model writes of it. */
export async function compactSession(
  session: Session,
  trigger: "manual" | "auto",
  wishes: string,
  tokens: number,
  signal: AbortSignal,
): Promise<void> {
  const { services, history, transcript } = session.parts;
  const startedAt = performance.now();
  session.tell({ type: "system", subtype: "status", status: "compacting" });
  if (services.hooks.listens("PreCompact"))
    await services.hooks.run("PreCompact", { trigger, custom_instructions: wishes || null }, { signal });
  const summary = await askForSummary(session, wishes, signal);
  session.tell({
    type: "system",
    subtype: "status",
    status: null,
    compact_result: summary === undefined ? "failed" : "success",
  });
  if (summary === undefined) return;
  const text = summaryMessage(summary);
  const uuid = randomUUID();
  history.replace([{ role: "user", content: text }]);
  if (trigger === "manual") session.tell(session.parts.init());
  const durationMs = Math.round(performance.now() - startedAt);
  const compaction: Compaction = { trigger, preTokens: tokens, durationMs, summaryUuid: uuid, keptUuids: [] };
  session.tell({
    type: "system",
    subtype: "compact_boundary",
    compact_metadata: compactMetadata(compaction),
  });
  transcript.note(
    boundaryEntry(compaction, {
      uuid: randomUUID(),
      timestamp: new Date().toISOString(),
      lastUuid: undefined,
    }),
  );
  const message = { role: "user" as const, content: text };
  session.tell({ type: "user", message, parent_tool_use_id: null, uuid, isReplay: false, isSynthetic: true });
  transcript.append({
    uuid,
    type: "user",
    message,
    timestamp: new Date().toISOString(),
    extra: SUMMARY_LINE,
  });
  if (trigger === "manual") tellOutput(session, "Compacted");
  if (services.hooks.listens("PostCompact"))
    await services.hooks.run("PostCompact", { trigger, compact_summary: summary }, { signal });
}

async function askForSummary(
  session: Session,
  wishes: string,
  signal: AbortSignal,
): Promise<string | undefined> {
  const { services, history, nextCall } = session.parts;
  const messages: ModelMessage[] = [
    ...history.messages,
    { role: "user", content: compactionPrompt(wishes || undefined) },
  ];
  try {
    const reply = await services.model.call({ ...nextCall(), messages }, signal);
    const { startFold } = await import("./model/fold.ts");
    const fold = startFold();
    for await (const event of reply.events) fold.push(event);
    services.costs.add(fold.message.model, fold.message.usage, false);
    const text = fold.message.content
      .flatMap((block) => (block.type === "text" ? [block.text] : []))
      .join("\n");
    return readSummary(text);
  } catch {
    // The conversation stays as it is; the host has been told that compacting failed.
    return undefined;
  }
}
