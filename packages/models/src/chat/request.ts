import type { JsonObject } from "@agentwire/protocol";
import { objectAt, textAt } from "../json.ts";
import type { MessagesRequest, RequestTool } from "../request.ts";
import { blocksOf, offeredTools, systemText } from "../translate/blocks.ts";
import type { CallContext } from "../translate/context.ts";
import { effortOf } from "../translate/effort.ts";
import { adaptSchema } from "../translate/schema.ts";
import { toolChoice } from "../translate/tool-choice.ts";
import { cacheMark, toChatMessages } from "./messages.ts";

/** Converts a request of the Messages API to Chat Completions. */
export function toChatRequest(request: MessagesRequest, context: CallContext): JsonObject {
  const { provider, adaptations, model } = context;
  const tools = offeredTools(request).map((tool) => toFunction(tool, context));
  const system = systemMessage(request, context);
  const effort = adaptations.has("no-effort") ? undefined : effortOf(request);
  const { temperature, top_p, stop_sequences = [] } = request;
  const asksForUsage = provider.quirks.asksForUsage && !adaptations.has("no-usage-question");
  return {
    model,
    messages: [...(system === undefined ? [] : [system]), ...toChatMessages(request.messages, context)],
    stream: true,
    ...(asksForUsage && { stream_options: { include_usage: true } }),
    ...limitOf(request, context),
    ...(tools.length > 0 && { tools, ...toolChoice(request, context, oneTool) }),
    ...(effort !== undefined &&
      (provider.quirks.effort === "reasoning" ? { reasoning: { effort } } : { reasoning_effort: effort })),
    ...(!adaptations.has("no-temperature") && {
      ...(temperature !== undefined && { temperature }),
      ...(top_p !== undefined && { top_p }),
    }),
    ...(stop_sequences.length > 0 && { stop: stop_sequences }),
    ...formatOf(request),
  };
}

function systemMessage(request: MessagesRequest, context: CallContext): JsonObject | undefined {
  const text = systemText(request);
  if (text === "") return undefined;
  const parts = blocksOf(request.system).map((block) => ({
    type: "text",
    text: textAt(block, "text") ?? "",
    ...cacheMark(block, context),
  }));
  const isMarked = parts.some((part) => "cache_control" in part);
  return { role: "system", content: isMarked ? parts.filter((part) => part.text !== "") : text };
}

function limitOf({ max_tokens }: MessagesRequest, { provider, facts, adaptations }: CallContext): JsonObject {
  if (max_tokens === undefined || adaptations.has("no-max-tokens")) return {};
  const field = adaptations.has("max-completion-tokens")
    ? "max_completion_tokens"
    : provider.quirks.maxTokens;
  return { [field]: Math.min(max_tokens, facts.maxOutputTokens ?? max_tokens) };
}

function toFunction({ name, description, input_schema }: RequestTool, context: CallContext): JsonObject {
  const dialect = context.adaptations.has("plain-schemas") ? "plain" : context.provider.quirks.schemas;
  return {
    type: "function",
    function: {
      name: context.names.toProvider(name),
      ...(description !== undefined && { description }),
      parameters: adaptSchema(input_schema, dialect),
    },
  };
}

const oneTool = (name: string): JsonObject => ({ type: "function", function: { name } });

function formatOf({ output_config }: MessagesRequest): JsonObject {
  const { type, schema } = objectAt(output_config, "format");
  return type === "json_schema" ? { response_format: { type, json_schema: { name: "reply", schema } } } : {};
}
