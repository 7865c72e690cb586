import { ModelError, startFold } from "@agentwire/models";
import type { ContentBlock, ToolResultBlock, ToolUseBlock, Usage } from "@agentwire/protocol/messages";
import { contextTokens } from "../model/context-window.ts";
import type { Model } from "../model/model.ts";
import { callWithRetries, startRetries } from "../model/retry.ts";
import { refused } from "../tools/outcome.ts";
import { readCall } from "../turn/call.ts";
import { History } from "../turn/history.ts";
import { modelTools } from "../turn/tool-loading.ts";
import { CONSOLIDATION_SYSTEM, CONTINUE_PROMPT, materialPrompt } from "./consolidation-prompt.ts";
import type { MemoryEntries } from "./entries.ts";
import type { Consolidated } from "./marks.ts";
import type { SessionMaterial } from "./material.ts";
import { ConsolidationTools } from "./write-tools.ts";

/** The inputs of one consolidation. */
export interface ConsolidationWork {
  readonly model: Model;
  readonly modelName: string;
  readonly maxRetries: number;
  readonly entries: MemoryEntries;
  readonly material: readonly SessionMaterial[];
  /** False once the budget is spent. */
  mayContinue(): boolean;
  onUsage(model: string, usage: Usage): void;
}

const MAX_STEPS = 24;
/** After this many tokens read and written, the next step is the last one. */
const MAX_TOKENS = 400_000;
const MAX_REPLY_TOKENS = 8_000;
const STEP_MS = 240_000;

/**
 * Lets the model update the memory from what was said, step by step, until it reports that it is done or reaches a limit. Each
 * change is stored at once, so that a repetition after a crash finds it.
 */
export async function consolidate(work: ConsolidationWork, signal: AbortSignal): Promise<Consolidated> {
  const { entries, material } = work;
  const history = new History();
  history.add("user", materialPrompt(material, entries.titles()));
  const tools = new ConsolidationTools(
    entries,
    material.map(({ sessionId }) => sessionId),
  );
  let tokens = 0;
  for (let step = 1; step <= MAX_STEPS; step++) {
    if (!work.mayContinue()) throw new Error("the budget of the session is spent");
    const isLast = step === MAX_STEPS || tokens >= MAX_TOKENS;
    const reply = await callModel(work, history, tools, isLast, signal);
    // From here to the end of the step nothing is awaited, so an abort can't leave it half done.
    signal.throwIfAborted();
    tokens += reply.tokens;
    history.add("assistant", reply.content);
    if (reply.calls.length === 0 && reply.stopReason !== "max_tokens") return tools.outcome(reply.text);
    if (reply.calls.length === 0) history.add("user", CONTINUE_PROMPT);
    else history.add("user", await Promise.all(reply.calls.map((call) => answer(call, tools, isLast))));
    if (tools.summary !== undefined) return tools.outcome(tools.summary);
    if (isLast) break;
  }
  return tools.outcome("The consolidation ended before the model called it finished.");
}

interface AskedCall {
  readonly block: ToolUseBlock;
  readonly badInput: string | undefined;
}

interface Reply {
  readonly content: readonly ContentBlock[];
  readonly calls: readonly AskedCall[];
  readonly text: string;
  readonly stopReason: string | null;
  readonly tokens: number;
}

async function callModel(
  { model, modelName, maxRetries, onUsage }: ConsolidationWork,
  { messages }: History,
  tools: ConsolidationTools,
  isLast: boolean,
  signal: AbortSignal,
): Promise<Reply> {
  const call = {
    lane: "consolidation",
    model: modelName,
    system: CONSOLIDATION_SYSTEM,
    messages,
    tools: modelTools(new Map(tools.offered(isLast).map((tool) => [tool.name, tool])), []),
    maxTokens: MAX_REPLY_TOKENS,
  } as const;
  const retries = startRetries({ maxRetries, onRetry() {} });
  const inTime = AbortSignal.any([signal, AbortSignal.timeout(STEP_MS)]);
  const { events } = await callWithRetries(model, call, retries, inTime);
  const fold = startFold();
  const calls: AskedCall[] = [];
  for await (const event of events) {
    const completed = fold.push(event);
    if (completed?.block.type === "tool_use")
      calls.push({ block: completed.block, badInput: completed.badInput });
  }
  const { content, usage, stop_reason: stopReason, model: answered } = fold.message;
  onUsage(answered, usage);
  if (stopReason === "refusal") throw new ModelError(null, "refusal", "the model refused");
  const text = content.findLast((block) => block.type === "text")?.text ?? "";
  return { content, calls, text, stopReason, tokens: contextTokens(usage) };
}

async function answer(
  { block, badInput }: AskedCall,
  tools: ConsolidationTools,
  isLast: boolean,
): Promise<ToolResultBlock> {
  const offered = new Map(tools.offered(isLast).map((tool) => [tool.name, tool]));
  const { input, problem } = readCall(offered, block, badInput);
  const outcome = problem === undefined ? await offered.get(block.name)?.run(input) : refused(problem);
  return {
    type: "tool_result",
    tool_use_id: block.id,
    content: typeof outcome?.content === "string" ? outcome.content : "",
    ...(outcome?.isError && { is_error: true }),
  };
}
