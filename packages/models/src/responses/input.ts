import type { JsonObject } from "@agentwire/protocol";
import { textAt } from "../json.ts";
import type { RequestMessage } from "../request.ts";
import { type Block, blocksOf, inWords, joinRoles, markError } from "../translate/blocks.ts";
import type { CallContext } from "../translate/context.ts";
import { isMedia, type PartWriter, partsOf } from "../translate/media.ts";
import { stateOf } from "../translate/reasoning-state.ts";
import { toolIdFor } from "../translate/tool-names.ts";

/** Converts the messages of a conversation to input items of Responses. */
export function toInput(messages: readonly RequestMessage[], context: CallContext): readonly JsonObject[] {
  return joinRoles(messages).flatMap(({ role, blocks }) =>
    role === "assistant" ? assistantItems(blocks, context) : userItems(blocks, context),
  );
}

function userItems(blocks: readonly Block[], context: CallContext): readonly JsonObject[] {
  const results = blocks.filter(({ type }) => type === "tool_result");
  const content = blocks
    .filter(({ type }) => type !== "tool_result")
    .flatMap((block) => partsOf(block, context, WRITER));
  return [
    ...results.map((result) => ({
      type: "function_call_output",
      call_id: idOf(result, "tool_use_id", context),
      output: outputOf(result, context),
    })),
    ...(content.length === 0 ? [] : [{ type: "message", role: "user", content }]),
  ];
}

/** A result is a string unless it contains media. */
function outputOf(result: Block, context: CallContext): string | readonly JsonObject[] {
  const blocks = blocksOf(result.content);
  const isError = result.is_error === true;
  if (blocks.some(isMedia) && !isError) return blocks.flatMap((block) => partsOf(block, context, WRITER));
  const words = blocks.filter((block) => !isMedia(block)).map(inWords);
  return markError(words.filter((one) => one !== undefined).join("\n"), isError);
}

const WRITER: PartWriter = {
  image: (image_url) => ({ type: "input_image", image_url, detail: "auto" }),
  file: (filename, url) =>
    url.startsWith("data:")
      ? { type: "input_file", filename, file_data: url }
      : { type: "input_file", file_url: url },
  text: (text) => ({ type: "input_text", text }),
};

/** The model's thinking, text and calls, each as an item, in order. */
function assistantItems(blocks: readonly Block[], context: CallContext): readonly JsonObject[] {
  return blocks.flatMap((block): JsonObject[] => {
    if (block.type === "thinking" || block.type === "redacted_thinking") return reasoningItem(block, context);
    if (block.type === "tool_use")
      return [
        {
          type: "function_call",
          call_id: idOf(block, "id", context),
          name: context.names.toProvider(textAt(block, "name") ?? ""),
          arguments: JSON.stringify(block.input ?? {}),
        },
      ];
    const text = inWords(block);
    if (text === undefined || text === "") return [];
    return [
      { type: "message", role: "assistant", content: [{ type: "output_text", text, annotations: [] }] },
    ];
  });
}

/** Separates the parts of a summary. */
export const BETWEEN_PARTS = "\n\n";

/** Sends reasoning back as received: the parts of its summary and the encrypted content. */
function reasoningItem(block: Block, { provider, adaptations }: CallContext): JsonObject[] {
  const state = stateOf(block, provider.name);
  if (!state || adaptations.has("no-encrypted-reasoning")) return [];
  const { id, encrypted_content, parts = [], isContent } = state;
  const thinking = textAt(block, "thinking") ?? "";
  // Without either, the provider would look up an item that it has not stored.
  if (encrypted_content === undefined && isContent !== true) return [];
  const texts = isContent === true || !Array.isArray(parts) ? [] : split(thinking, parts);
  return [
    {
      type: "reasoning",
      ...(id !== undefined && { id }),
      summary: texts.map((text) => ({ type: "summary_text", text })),
      ...(isContent === true && { content: [{ type: "reasoning_text", text: thinking }] }),
      ...(encrypted_content !== undefined && { encrypted_content }),
    },
  ];
}

function split(text: string, lengths: readonly unknown[]): readonly string[] {
  let at = 0;
  return lengths.map((length) => {
    const part = text.slice(at, at + Number(length));
    at += Number(length) + BETWEEN_PARTS.length;
    return part;
  });
}

const idOf = (block: Block, key: string, { provider }: CallContext) =>
  toolIdFor(textAt(block, key) ?? "", provider.quirks.toolIds);
