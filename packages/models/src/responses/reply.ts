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
import { BETWEEN_PARTS } from "./input.ts";

/** Converts the events of Responses to events of the Messages API. */
export class ResponsesReply implements ReplyReader {
  readonly #options: ReplyOptions;
  readonly #blocks: ReplyBlocks;
  readonly #calls: ToolCalls;
  /** The items whose content has been streamed; others are read as a whole when they are done. */
  readonly #streamed = new Set<unknown>();
  /** The lengths of the parts of the current summary. */
  #parts: number[] = [];
  #isContent = false;
  #refused = false;
  #final: JsonObject | undefined;

  constructor(options: ReplyOptions) {
    this.#options = options;
    this.#blocks = new ReplyBlocks(options);
    this.#calls = new ToolCalls(this.#blocks, options);
  }

  /** Takes an event or a complete response. */
  push(event: unknown): ApiEvent[] {
    if (!isJsonObject(event)) return [];
    if (event.object === "response") this.#takeWhole(event);
    else this.#take(event);
    return this.#blocks.take();
  }

  end(_isDone: boolean): ApiEvent[] {
    if (this.#final === undefined) throw streamCut();
    const stopReason = this.#stopReason(this.#final);
    this.#calls.end(stopReason === "max_tokens");
    this.#blocks.finish(stopReason, this.#usage(this.#final));
    return this.#blocks.take();
  }

  #takeWhole(response: JsonObject): void {
    for (const [output_index, item] of listAt(response, "output").entries())
      this.#done({ output_index, item });
    this.#finish(response);
  }

  #take(event: JsonObject): void {
    const { output_index } = event;
    const delta = textAt(event, "delta") ?? "";
    switch (event.type) {
      case "response.created":
      case "response.in_progress":
        this.#blocks.begin();
        return;
      case "response.output_item.added":
        this.#added(event);
        return;
      case "response.output_text.delta":
        this.#streamed.add(output_index);
        this.#blocks.write("text", delta);
        return;
      case "response.refusal.delta":
        this.#streamed.add(output_index);
        this.#refused = true;
        this.#blocks.write("text", delta);
        return;
      case "response.reasoning_summary_part.added":
        this.#beginPart();
        return;
      case "response.reasoning_summary_text.delta":
        this.#streamed.add(output_index);
        this.#think(delta);
        return;
      case "response.reasoning_text.delta":
        this.#streamed.add(output_index);
        this.#isContent = true;
        this.#blocks.write("thinking", delta);
        return;
      case "response.function_call_arguments.delta":
        this.#streamed.add(output_index);
        this.#calls.push({ index: output_index, function: { arguments: delta } });
        return;
      case "response.output_item.done":
        this.#done(event);
        return;
      case "response.completed":
      case "response.incomplete":
      case "response.failed":
        this.#finish(objectAt(event, "response"));
        return;
      case "error":
        throw failureOf({ status: undefined, body: event });
    }
  }

  #added({ item, output_index }: JsonObject): void {
    if (textAt(item, "type") !== "function_call") {
      this.#calls.end(false);
      return;
    }
    const { call_id, id, name } = item as JsonObject;
    this.#calls.push({ index: output_index, id: call_id ?? id, function: { name } });
  }

  /** Completes an item: reads the content that was not streamed and keeps its state. */
  #done({ item, output_index }: JsonObject): void {
    const wasStreamed = this.#streamed.has(output_index);
    switch (textAt(item, "type")) {
      case "reasoning":
        if (!wasStreamed) this.#thinkWhole(item);
        this.#sign(item);
        return;
      case "message":
        if (!wasStreamed) this.#sayWhole(item);
        return;
      case "function_call": {
        const { call_id, id, name, arguments: all } = item as JsonObject;
        const given = { name, ...(!wasStreamed && { arguments: all }) };
        this.#calls.push({ index: output_index, id: call_id ?? id, function: given });
      }
    }
  }

  #sayWhole(item: unknown): void {
    this.#calls.end(false);
    for (const part of listAt(item, "content")) {
      const refusal = textAt(part, "refusal");
      if (refusal !== undefined) this.#refused = true;
      this.#blocks.write("text", refusal ?? textAt(part, "text") ?? "");
    }
  }

  #thinkWhole(item: unknown): void {
    this.#calls.end(false);
    for (const part of listAt(item, "summary")) {
      this.#beginPart();
      this.#think(textAt(part, "text") ?? "");
    }
    for (const part of listAt(item, "content")) {
      this.#isContent = true;
      this.#blocks.write("thinking", textAt(part, "text") ?? "");
    }
  }

  #beginPart(): void {
    if (this.#parts.length > 0) this.#blocks.write("thinking", BETWEEN_PARTS);
    this.#parts.push(0);
  }

  #think(text: string): void {
    if (this.#parts.length === 0) this.#parts.push(0);
    this.#parts.push((this.#parts.pop() ?? 0) + text.length);
    this.#blocks.write("thinking", text);
  }

  /** Ends the thinking block with the state that the provider expects back; empty reasoning without a state is dropped. */
  #sign(item: unknown): void {
    const { id, encrypted_content } = item as JsonObject;
    const [parts, isContent] = [this.#parts, this.#isContent];
    this.#parts = [];
    this.#isContent = false;
    if (this.#blocks.open !== "thinking" && encrypted_content === undefined) return;
    this.#blocks.sign(
      sealState({
        from: this.#options.from,
        ...(typeof id === "string" && { id }),
        ...(typeof encrypted_content === "string" && { encrypted_content }),
        ...(parts.length > 0 && { parts }),
        ...(isContent && { isContent }),
      }),
    );
  }

  #finish(response: JsonObject): void {
    if (isJsonObject(response.error)) throw failureOf({ status: undefined, body: { error: response.error } });
    if (response.status === "failed")
      throw failureOf({ status: undefined, body: "the provider abandoned the reply" });
    this.#final = response;
  }

  #usage(response: JsonObject): Usage {
    const { usage } = response;
    const prompt = countAt(usage, "input_tokens");
    // A server that counts nothing may still report zeros.
    if (!prompt) return estimatedUsage(this.#options.requestCharacters, this.#blocks.characters);
    return toUsage({
      prompt,
      completion: countAt(usage, "output_tokens") ?? 0,
      cached: countAt(objectAt(usage, "input_tokens_details"), "cached_tokens") ?? 0,
      written: 0,
      reasoning: countAt(objectAt(usage, "output_tokens_details"), "reasoning_tokens") ?? 0,
      total: countAt(usage, "total_tokens"),
    });
  }

  #stopReason(response: JsonObject): StopReason {
    if (this.#refused) return "refusal";
    const reason = textAt(objectAt(response, "incomplete_details"), "reason");
    if (reason === "content_filter") return "refusal";
    if (reason !== undefined || response.status === "incomplete") return "max_tokens";
    return this.#calls.isEmpty ? "end_turn" : "tool_use";
  }
}
