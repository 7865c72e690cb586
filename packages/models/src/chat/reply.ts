import { isJsonObject, type JsonObject } from "@agentwire/protocol";
import type { ApiEvent, StopReason, Usage } from "@agentwire/protocol/messages";
import { countAt, listAt, objectAt, textAt } from "../json.ts";
import { streamCut } from "../model-error.ts";
import { failureOf } from "../translate/failure.ts";
import { sealState } from "../translate/reasoning-state.ts";
import { ReplyBlocks } from "../translate/reply-blocks.ts";
import type { ReplyOptions, ReplyReader } from "../translate/reply-reader.ts";
import { ToolCalls } from "../translate/tool-calls.ts";
import { estimatedUsage, toUsage } from "../translate/usage.ts";
import { ThinkTags } from "./think-tags.ts";

/** The fields in which servers send the model's reasoning. */
const REASONING_FIELDS = ["reasoning_content", "reasoning"] as const;

/** Converts the chunks of Chat Completions to events of the Messages API. */
export class ChatReply implements ReplyReader {
  readonly #options: ReplyOptions;
  readonly #blocks: ReplyBlocks;
  readonly #calls: ToolCalls;
  readonly #tags = new ThinkTags();
  /** The field in which the current reasoning arrived. */
  #field: string | undefined;
  #details: unknown[] = [];
  #finishReason: string | undefined;
  #refused = false;
  /** Text that arrived after the model's calls. */
  #afterwards = "";
  #usage: Usage | undefined;

  constructor(options: ReplyOptions) {
    this.#options = options;
    this.#blocks = new ReplyBlocks(options);
    this.#calls = new ToolCalls(this.#blocks, options);
  }

  /** Takes a chunk; a complete response is a chunk with a message instead of a delta. */
  push(chunk: unknown): ApiEvent[] {
    if (!isJsonObject(chunk)) return [];
    const failure = failureIn(chunk);
    if (failure !== undefined) throw failureOf({ status: undefined, body: failure });
    this.#count(chunk);
    const [choice] = listAt(chunk, "choices");
    if (isJsonObject(choice)) {
      this.#blocks.begin();
      this.#take({ ...objectAt(choice, "message"), ...objectAt(choice, "delta") });
      this.#finishReason = textAt(choice, "finish_reason") ?? this.#finishReason;
      if (this.#finishReason === "error")
        throw failureOf({
          status: undefined,
          body: choice.error ?? "the provider ended the reply with an error",
        });
    }
    return this.#blocks.take();
  }

  end(isDone: boolean): ApiEvent[] {
    if (this.#finishReason === undefined && !(isDone && this.#blocks.hasBegun)) throw streamCut();
    for (const { kind, text } of this.#tags.end()) this.#write(kind, text, undefined);
    this.#endThinking();
    const stopReason = this.#stopReason();
    this.#calls.end(stopReason === "max_tokens");
    if (this.#afterwards.trim() !== "") this.#blocks.write("text", this.#afterwards);
    this.#blocks.finish(
      stopReason,
      this.#usage ?? estimatedUsage(this.#options.requestCharacters, this.#blocks.characters),
    );
    return this.#blocks.take();
  }

  #take(delta: JsonObject): void {
    const details = listAt(delta, "reasoning_details");
    // Reasoning that arrived before any details is a separate thinking block.
    if (details.length > 0 && this.#details.length === 0 && this.#field !== undefined) this.#endThinking();
    this.#details.push(...details);
    for (const field of REASONING_FIELDS) {
      const text = textAt(delta, field);
      if (text === undefined) continue;
      this.#write("thinking", text, field);
      // Some servers send the same text in both fields.
      break;
    }
    this.#say(delta.content);
    const refusal = textAt(delta, "refusal");
    if (refusal !== undefined) {
      this.#refused = true;
      this.#write("text", refusal, undefined);
    }
    const calls = [
      ...listAt(delta, "tool_calls"),
      ...(isJsonObject(delta.function_call) ? [{ index: 0, function: delta.function_call }] : []),
    ];
    if (calls.length === 0) return;
    for (const { kind, text } of this.#tags.end()) this.#write(kind, text, undefined);
    this.#endThinking();
    for (const call of calls) this.#calls.push(call);
  }

  /** Text, or a list of parts as sent by Mistral. */
  #say(content: unknown): void {
    if (typeof content === "string") {
      if (content === "") return;
      for (const { kind, text } of this.#tags.push(content)) this.#write(kind, text, undefined);
      return;
    }
    if (!Array.isArray(content)) return;
    for (const part of content) {
      if (textAt(part, "type") === "thinking")
        for (const piece of listAt(part, "thinking"))
          this.#write("thinking", textAt(piece, "text") ?? "", undefined);
      else this.#write("text", textAt(part, "text") ?? "", undefined);
    }
  }

  #write(kind: "text" | "thinking", text: string, field: string | undefined): void {
    if (kind === "text") this.#endThinking();
    else this.#field ??= field;
    if (this.#calls.isEmpty) this.#blocks.write(kind, text);
    // Text between calls would split the call being written.
    else if (kind === "text") this.#afterwards += text;
  }

  /** Ends the thinking block with the state that the provider expects back. */
  #endThinking(): void {
    const { from } = this.#options;
    if (this.#details.length > 0)
      this.#blocks.sign(sealState({ from, details: joined(this.#details.splice(0)) }));
    else if (this.#blocks.open === "thinking")
      this.#blocks.sign(sealState({ from, ...(this.#field !== undefined && { field: this.#field }) }));
    this.#field = undefined;
  }

  #count(chunk: JsonObject): void {
    const usage = [chunk.usage, objectAt(chunk, "x_groq").usage].find(isJsonObject);
    const prompt = countAt(usage, "prompt_tokens");
    // A server that counts nothing may still report zeros.
    if (!prompt) return;
    const details = objectAt(usage, "prompt_tokens_details");
    this.#usage = toUsage({
      prompt,
      completion: countAt(usage, "completion_tokens") ?? 0,
      cached: countAt(details, "cached_tokens") ?? countAt(usage, "prompt_cache_hit_tokens") ?? 0,
      written: countAt(details, "cache_write_tokens") ?? 0,
      reasoning: countAt(objectAt(usage, "completion_tokens_details"), "reasoning_tokens") ?? 0,
      total: countAt(usage, "total_tokens"),
    });
  }

  #stopReason(): StopReason {
    if (this.#refused) return "refusal";
    switch (this.#finishReason) {
      case "length":
      case "max_tokens":
      case "model_length":
        return "max_tokens";
      case "content_filter":
      case "safety":
        return "refusal";
      default:
        // Many servers report `stop` after a call.
        return this.#calls.isEmpty ? "end_turn" : "tool_use";
    }
  }
}

/** An error inside a stream, in any of the forms that servers use. */
function failureIn(chunk: JsonObject): unknown {
  if (chunk.error !== undefined && chunk.error !== null) return chunk;
  if (chunk.object === "error" || chunk.type === "error") return chunk;
  return chunk.choices === undefined && chunk.detail !== undefined ? chunk : undefined;
}

/** Joins the pieces of reasoning details that share an index. */
function joined(details: readonly unknown[]): readonly unknown[] {
  const whole: JsonObject[] = [];
  for (const detail of details) {
    if (!isJsonObject(detail)) continue;
    const at = whole.findIndex(({ index, type }) => index === detail.index && type === detail.type);
    const known = whole[at];
    if (known === undefined || detail.index === undefined) whole.push(detail);
    else whole[at] = { ...known, ...detail, ...textsOf(known, detail) };
  }
  return whole;
}

function textsOf(before: JsonObject, after: JsonObject): JsonObject {
  return Object.fromEntries(
    ["text", "summary", "data"].flatMap((key) => {
      const text = (textAt(before, key) ?? "") + (textAt(after, key) ?? "");
      return text === "" ? [] : [[key, text]];
    }),
  );
}
