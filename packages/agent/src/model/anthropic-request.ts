import { isForeignThinking } from "@agentwire/models";
import type { JsonObject } from "@agentwire/protocol";
import type { ContentBlock } from "@agentwire/protocol/messages";
import type { ModelCall, ModelMessage, ModelTool } from "./model.ts";
import { modelInfo, USUAL_REPLY_TOKENS } from "./pricing.ts";

/** What a connection adds to every request. */
export interface RequestDefaults {
  readonly betas?: readonly string[];
  /** Who the provider should think is asking; an opaque name. */
  readonly userId?: string;
  /** Whether thoughts of other providers' models go along; Anthropic would refuse them. */
  readonly keepsForeignThinking?: boolean;
}

/** Spells a call the way the Messages API wants it, with marks where the provider should cache the prompt. */
export function toRequest(call: ModelCall, defaults: RequestDefaults = {}): JsonObject {
  const system = call.system.filter((piece) => piece !== "").map((text) => ({ type: "text", text }));
  const thinking = thinkingOf(call);
  const output = outputOf(call);
  return {
    // `[1m]` at the end of a name is said to the agent, not to the provider.
    model: call.model.replace(/\[\w+\]$/, ""),
    max_tokens: call.maxTokens ?? USUAL_REPLY_TOKENS,
    messages: markMessages(call.messages, defaults.keepsForeignThinking),
    ...(system.length > 0 && { system: markLast(system) }),
    ...(call.tools.length > 0 && { tools: markTools(call.tools) }),
    ...(thinking && { thinking }),
    ...(Object.keys(output).length > 0 && { output_config: output }),
    ...(defaults.userId !== undefined && { metadata: { user_id: defaults.userId } }),
    stream: true,
  };
}

/** The features that a call turns on, each once; they go into a header. */
export function betasOf(call: ModelCall, defaults: RequestDefaults = {}): readonly string[] {
  const needed = call.taskBudget === undefined ? [] : [TASK_BUDGETS];
  return [...new Set([...(defaults.betas ?? []), ...(call.betas ?? []), ...needed])];
}

/** The provider's name for what a task budget needs. */
const TASK_BUDGETS = "task-budgets-2026-03-13";

function outputOf({ effort, taskBudget }: ModelCall): JsonObject {
  return {
    ...(effort !== undefined && { effort }),
    ...(taskBudget !== undefined && { task_budget: { type: "tokens", total: taskBudget } }),
  };
}

/** Thinking the way the model wants to hear of it: some refuse a budget, some refuse to do without, some can't think at all. */
function thinkingOf({ model, thinking, maxTokens = USUAL_REPLY_TOKENS }: ModelCall): ModelCall["thinking"] {
  const info = modelInfo(model);
  if (!thinking || !info) return thinking;
  if (thinking.type === "disabled") return info.alwaysThinks ? { type: "adaptive" } : thinking;
  const display = thinking.display === undefined ? {} : { display: thinking.display };
  if (info.thinks === "adaptive") return { type: "adaptive", ...display };
  if (info.thinks === undefined) return undefined;
  const wanted = thinking.type === "enabled" ? thinking.budget_tokens : maxTokens;
  return { type: "enabled", budget_tokens: Math.min(wanted, maxTokens - 1), ...display };
}

type Marked = JsonObject & { readonly cache_control: typeof EPHEMERAL };

const EPHEMERAL = { type: "ephemeral" } as const;

const marked = (item: object): Marked => ({ ...item, cache_control: EPHEMERAL });

function markLast<T extends object>(items: readonly T[]): readonly (T | Marked)[] {
  const last = items.at(-1);
  return last ? [...items.slice(0, -1), marked(last)] : items;
}

/** A deferred tool is no part of what is cached, and can't carry a mark. */
function markTools(tools: readonly ModelTool[]): readonly (ModelTool | Marked)[] {
  const isDeferred = ({ defer_loading }: ModelTool) => defer_loading === true;
  return [...markLast(tools.filter((tool) => !isDeferred(tool))), ...tools.filter(isDeferred)];
}

/** The API takes four marks: one is on the system prompt, one on the tools, so the newest two user messages get the rest. */
const MARKED_MESSAGES = 2;

function markMessages(messages: readonly ModelMessage[], keepsForeign?: boolean): readonly JsonObject[] {
  const from = firstMarked(messages);
  return messages.map((message, i) =>
    spellMessage(message, i >= from && message.role === "user", keepsForeign),
  );
}

/** Where the messages begin that carry marks, or may: what comes before is the same in every later request. */
function firstMarked(messages: readonly ModelMessage[]): number {
  let left = MARKED_MESSAGES;
  return Math.max(
    0,
    messages.findLastIndex(({ role }) => role === "user" && --left === 0),
  );
}

/** One message the way the API wants it. */
function spellMessage(message: ModelMessage, isMarked = false, keepsForeign = false): JsonObject {
  const blocks = blocksOf(message)
    .map(spell)
    .filter((block) => keepsForeign || !isForeignThinking(block));
  if (isMarked) markLastCacheable(blocks);
  return { role: message.role, content: blocks };
}

function blocksOf({ content }: ModelMessage): readonly ContentBlock[] {
  return typeof content === "string" ? [{ type: "text", text: content }] : content;
}

/** An unknown block goes out as it came in; a mark that the host put on a block would be the fifth, which the API refuses. */
function spell(block: ContentBlock): JsonObject {
  const plain: JsonObject = block.type === "unknown" ? block.payload : { ...block };
  if (!Object.hasOwn(plain, "cache_control")) return plain;
  const { cache_control: _mark, ...rest } = plain;
  return rest;
}

/** Empty text can't carry a mark, nor can thinking. */
function markLastCacheable(blocks: JsonObject[]): void {
  const index = blocks.findLastIndex(
    ({ type, text }) => type !== "thinking" && type !== "redacted_thinking" && text !== "",
  );
  const block = blocks[index];
  if (block) blocks[index] = marked(block);
}

/** Writes the body of a request. */
type RequestWriter = (call: ModelCall, defaults?: RequestDefaults) => Buffer;

const OPENING = Buffer.from('{"messages":[');
const NOTHING = Buffer.alloc(0);

/** Makes a writer for a conversation that grows: what the last request began with is not spelled again in the next. */
export function createRequestWriter(): RequestWriter {
  let known: readonly ModelMessage[] = [];
  let bytes = NOTHING;
  return (call, defaults) => {
    const settled = call.messages.slice(0, firstMarked(call.messages));
    if (!startsWith(settled, known)) {
      known = [];
      bytes = NOTHING;
    }
    const added = settled.slice(known.length).map((message) => `${JSON.stringify(spellMessage(message))},`);
    bytes = Buffer.concat([bytes, Buffer.from(added.join(""))]);
    known = settled;
    const { messages, ...rest } = toRequest(
      { ...call, messages: call.messages.slice(settled.length) },
      defaults,
    );
    const ending = `${JSON.stringify(messages).slice(1)},${JSON.stringify(rest).slice(1)}`;
    return Buffer.concat([OPENING, bytes, Buffer.from(ending)]);
  };
}

/** The messages are never changed, so the same ones spell the same. */
function startsWith(messages: readonly ModelMessage[], start: readonly ModelMessage[]): boolean {
  if (start.length > messages.length) return false;
  for (let i = 0; i < start.length; i++) if (messages[i] !== start[i]) return false;
  return true;
}
