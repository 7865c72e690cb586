import type { JsonObject } from "@agentwire/protocol";
import { textAt } from "../json.ts";
import type { RequestMessage } from "../request.ts";
import { type Block, blocksOf, inWords, joinRoles, markError } from "../translate/blocks.ts";
import type { CallContext } from "../translate/context.ts";
import { isMedia, type PartWriter, partsOf } from "../translate/media.ts";
import { stateOf } from "../translate/reasoning-state.ts";
import { toolIdFor } from "../translate/tool-names.ts";

/** Converts the messages of a conversation to Chat Completions. */
export function toChatMessages(
  messages: readonly RequestMessage[],
  context: CallContext,
): readonly JsonObject[] {
  const joined = joinRoles(messages);
  // Reasoning is sent back only during its turn: providers ignore or reject older reasoning.
  const prompted = joined.findLastIndex(
    ({ role, blocks }) => role === "user" && blocks.some(({ type }) => type !== "tool_result"),
  );
  return joined.flatMap(({ role, blocks }, index) =>
    role === "assistant"
      ? [assistantMessage(blocks, context, index > prompted)]
      : userMessages(blocks, context),
  );
}

/** Separates the user's own media from those in tool results. */
const FROM_USER: Block = { type: "text", text: "From the user:" };

/** Results come first, each as a separate message; their media follow, together with the user's content. */
function userMessages(blocks: readonly Block[], context: CallContext): readonly JsonObject[] {
  const results = blocks.filter(({ type }) => type === "tool_result");
  const shown = results.flatMap((result) => {
    const media = blocksOf(result.content).filter(isMedia);
    return media.length === 0
      ? []
      : [{ type: "text", text: `Result of ${idOf(result, "tool_use_id", context)}:` }, ...media];
  });
  const own = blocks.filter(({ type }) => type !== "tool_result");
  const isMixed = shown.length > 0 && own[0] !== undefined && isMedia(own[0]);
  const said = [...shown, ...(isMixed ? [FROM_USER] : []), ...own];
  return [
    ...results.map((result) => ({
      role: "tool",
      tool_call_id: idOf(result, "tool_use_id", context),
      content: resultText(result),
    })),
    ...(said.length === 0 ? [] : [{ role: "user", content: userContent(said, context) }]),
  ];
}

function resultText(result: Block): string {
  const words = blocksOf(result.content)
    .filter((block) => !isMedia(block))
    .map(inWords);
  const text = words.filter((one) => one !== undefined).join("\n");
  return markError(text, result.is_error === true);
}

/** A single text stays a string, because many servers accept nothing else. */
function userContent(blocks: readonly Block[], context: CallContext): string | readonly JsonObject[] {
  const parts = blocks.flatMap((block) => partsOf(block, context, writer(context)));
  const [only] = parts;
  const isPlain = parts.length === 1 && only?.type === "text" && only.cache_control === undefined;
  return isPlain && typeof only.text === "string" ? only.text : parts;
}

const writer = (context: CallContext): PartWriter => ({
  image: (url) => ({ type: "image_url", image_url: { url } }),
  file: (filename, file_data) => ({ type: "file", file: { filename, file_data } }),
  text: (text, block) => ({ type: "text", text, ...cacheMark(block, context) }),
});

/** The cache control mark, if the provider supports it. */
export function cacheMark(block: JsonObject, { provider, adaptations }: CallContext): JsonObject {
  const isTaken = provider.quirks.cacheMarks && !adaptations.has("no-cache-marks");
  return isTaken && block.cache_control !== undefined ? { cache_control: block.cache_control } : {};
}

function assistantMessage(blocks: readonly Block[], context: CallContext, isCurrent: boolean): JsonObject {
  const texts = blocks.filter(({ type }) => type !== "tool_use").map(inWords);
  const text = texts.filter((one) => one !== undefined).join("\n\n");
  const calls = toolCalls(blocks, context);
  return {
    role: "assistant",
    content: text === "" && calls.length > 0 ? null : text,
    ...reasoningOf(blocks, context, isCurrent),
    ...(calls.length > 0 && { tool_calls: calls }),
  };
}

/** Declares that a call has no thought signature; otherwise Gemini rejects the conversation. */
const UNSIGNED = { google: { thought_signature: "skip_thought_signature_validator" } };

function toolCalls(blocks: readonly Block[], context: CallContext): readonly JsonObject[] {
  const { provider, names } = context;
  const calls: JsonObject[] = [];
  let extra: unknown;
  for (const block of blocks) {
    extra = stateOf(block, provider.name)?.extra_content ?? extra;
    if (block.type !== "tool_use") continue;
    const unsigned = provider.quirks.thoughtSignatures && calls.length === 0 ? UNSIGNED : undefined;
    const signed = extra ?? unsigned;
    extra = undefined;
    calls.push({
      id: idOf(block, "id", context),
      type: "function",
      function: {
        name: names.toProvider(textAt(block, "name") ?? ""),
        arguments: JSON.stringify(block.input ?? {}),
      },
      ...(signed !== undefined && { extra_content: signed }),
    });
  }
  return calls;
}

/** Sends reasoning back in the field in which it was received. */
function reasoningOf(blocks: readonly Block[], { provider }: CallContext, isCurrent: boolean): JsonObject {
  const fields = new Map<string, string>();
  const details: unknown[] = [];
  for (const block of blocks) {
    const state = stateOf(block, provider.name);
    const field = textAt(state, "field");
    if (Array.isArray(state?.details)) details.push(...state.details);
    else if (field !== undefined && isCurrent)
      fields.set(field, (fields.get(field) ?? "") + (textAt(block, "thinking") ?? ""));
  }
  return {
    ...Object.fromEntries(fields),
    ...(details.length > 0 && { reasoning_details: details }),
  };
}

const idOf = (block: Block, key: string, { provider }: CallContext) =>
  toolIdFor(textAt(block, key) ?? "", provider.quirks.toolIds);
