import type { ContentBlock, JsonObject } from "@agentwire/protocol";
import type { ModelCall, ModelMessage, ModelTool } from "./model.ts";
import { modelInfo } from "./pricing.ts";

/** What a connection adds to every request. */
export interface RequestDefaults {
  readonly betas?: readonly string[];
  /** Who the provider should think is asking; an opaque name. */
  readonly userId?: string;
}

/** Spells a call the way the Messages API wants it, with marks where the provider should cache the prompt. */
export function toRequest(call: ModelCall, defaults: RequestDefaults = {}): JsonObject {
  const betas = [...new Set([...(defaults.betas ?? []), ...(call.betas ?? [])])];
  const system = call.system.filter((piece) => piece !== "").map((text) => ({ type: "text", text }));
  const thinking = thinkingOf(call);
  return {
    // `[1m]` at the end of a name is said to the agent, not to the provider.
    model: call.model.replace(/\[\w+\]$/, ""),
    max_tokens: call.maxTokens,
    messages: markMessages(call.messages),
    ...(system.length > 0 && { system: markLast(system) }),
    ...(call.tools.length > 0 && { tools: markLast<ModelTool | Marked>(call.tools) }),
    ...(thinking && { thinking }),
    ...(call.effort !== undefined && { output_config: { effort: call.effort } }),
    ...(defaults.userId !== undefined && { metadata: { user_id: defaults.userId } }),
    ...(betas.length > 0 && { betas }),
    stream: true,
  };
}

/** Some models refuse to be told not to think. */
function thinkingOf({ model, thinking }: ModelCall): ModelCall["thinking"] {
  return thinking?.type === "disabled" && modelInfo(model)?.alwaysThinks ? undefined : thinking;
}

type Marked = JsonObject & { readonly cache_control: typeof EPHEMERAL };

const EPHEMERAL = { type: "ephemeral" } as const;

const marked = (item: object): Marked => ({ ...item, cache_control: EPHEMERAL });

function markLast<T extends object>(items: readonly T[]): readonly (T | Marked)[] {
  const last = items.at(-1);
  return last ? [...items.slice(0, -1), marked(last)] : items;
}

/** The API takes four marks: one is on the system prompt, one on the tools, so the newest two user messages get the rest. */
const MARKED_MESSAGES = 2;

function markMessages(messages: readonly ModelMessage[]): readonly JsonObject[] {
  const spelled: JsonObject[] = [];
  let toMark = MARKED_MESSAGES;
  for (const message of messages.toReversed()) {
    const blocks = blocksOf(message).map(spell);
    if (message.role === "user" && toMark > 0) {
      toMark--;
      markLastCacheable(blocks);
    }
    spelled.push({ role: message.role, content: blocks });
  }
  return spelled.reverse();
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
