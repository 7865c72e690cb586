import { isForeignThinking } from "@agentwire/models";
import type { JsonObject } from "@agentwire/protocol";
import type { ContentBlock } from "@agentwire/protocol/messages";
import type { ModelCall, ModelMessage, ModelTool } from "./model.ts";
import { modelInfo, USUAL_REPLY_TOKENS } from "./pricing.ts";

/** What a connection adds to every request. */
export interface RequestDefaults {
  readonly betas?: readonly string[];
  /** An opaque user id, reported to the provider. */
  readonly userId?: string;
  /** Whether thinking by models of other providers is included; Anthropic would refuse it. */
  readonly keepsForeignThinking?: boolean;
}

/** Converts a call to a request of the Messages API, with marks where the provider should cache the prompt. */
export function toRequest(call: ModelCall, defaults: RequestDefaults = {}): JsonObject {
  const system = call.system.filter((piece) => piece !== "").map((text) => ({ type: "text", text }));
  const thinking = thinkingOf(call);
  const output = outputOf(call);
  return {
    // The suffix `[1m]` is meant for the agent, not for the provider.
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

/** The beta features of a call, without duplicates, for a header. */
export function betasOf(call: ModelCall, defaults: RequestDefaults = {}): readonly string[] {
  const needed = call.taskBudget === undefined ? [] : [TASK_BUDGETS];
  return [...new Set([...(defaults.betas ?? []), ...(call.betas ?? []), ...needed])];
}

/** The provider's name of the beta for task budgets. */
const TASK_BUDGETS = "task-budgets-2026-03-13";

function outputOf({ effort, taskBudget }: ModelCall): JsonObject {
  return {
    ...(effort !== undefined && { effort }),
    ...(taskBudget !== undefined && { task_budget: { type: "tokens", total: taskBudget } }),
  };
}

/**
 * The thinking option in the form that the model accepts: some models reject a budget, some can't turn thinking off, some can't
 * think at all.
 */
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

/** A deferred tool is not part of the cached prefix and can't have a mark. */
function markTools(tools: readonly ModelTool[]): readonly (ModelTool | Marked)[] {
  const isDeferred = ({ defer_loading }: ModelTool) => defer_loading === true;
  return [...markLast(tools.filter((tool) => !isDeferred(tool))), ...tools.filter(isDeferred)];
}

/** The API accepts four marks: one for the system prompt, one for the tools, and the rest for the newest two user messages. */
const MARKED_MESSAGES = 2;

function markMessages(messages: readonly ModelMessage[], keepsForeign?: boolean): readonly JsonObject[] {
  const from = firstMarked(messages);
  return messages.map((message, i) =>
    spellMessage(message, i >= from && message.role === "user", keepsForeign),
  );
}

/** The index of the first message that has, or may have, a mark: all messages before it are the same in every later request. */
function firstMarked(messages: readonly ModelMessage[]): number {
  let left = MARKED_MESSAGES;
  return Math.max(
    0,
    messages.findLastIndex(({ role }) => role === "user" && --left === 0),
  );
}

/** One message in the form of the API. */
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

/** An unknown block is sent unchanged; a mark that the host put on a block would be the fifth, which the API refuses. */
function spell(block: ContentBlock): JsonObject {
  const plain: JsonObject = block.type === "unknown" ? block.payload : { ...block };
  if (!Object.hasOwn(plain, "cache_control")) return plain;
  const { cache_control: _mark, ...rest } = plain;
  return rest;
}

/** Empty text and thinking can't have a mark. */
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

/** Creates a writer for a growing conversation: the part that the previous request also contained is not serialized again. */
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

/** Messages never change, so identical objects have identical text. */
function startsWith(messages: readonly ModelMessage[], start: readonly ModelMessage[]): boolean {
  if (start.length > messages.length) return false;
  for (let i = 0; i < start.length; i++) if (messages[i] !== start[i]) return false;
  return true;
}
