import type { JsonObject } from "@agentwire/protocol";
import { objectAt } from "../json.ts";
import type { MessagesRequest } from "../request.ts";
import { offeredTools, systemText } from "../translate/blocks.ts";
import type { CallContext } from "../translate/context.ts";
import { effortOf } from "../translate/effort.ts";
import { adaptSchema } from "../translate/schema.ts";
import { toolChoice } from "../translate/tool-choice.ts";
import { toInput } from "./input.ts";

/** The smallest reply limit that Responses accepts. */
const MIN_OUTPUT_TOKENS = 16;

/** Converts a request of the Messages API to Responses. The provider stores nothing; its state is sent back to it encrypted. */
export function toResponsesRequest(request: MessagesRequest, context: CallContext): JsonObject {
  const { adaptations, model, provider, names } = context;
  const system = systemText(request);
  const dialect = adaptations.has("plain-schemas") ? "plain" : provider.quirks.schemas;
  const tools = offeredTools(request).map(({ name, description, input_schema }) => ({
    type: "function",
    name: names.toProvider(name),
    ...(description !== undefined && { description }),
    parameters: adaptSchema(input_schema, dialect),
    strict: false,
  }));
  const { temperature, top_p } = request;
  return {
    model,
    ...(system !== "" && { instructions: system }),
    input: toInput(request.messages, context),
    stream: true,
    store: false,
    ...(!adaptations.has("no-encrypted-reasoning") && { include: ["reasoning.encrypted_content"] }),
    ...limitOf(request, context),
    ...(tools.length > 0 && { tools, ...toolChoice(request, context, oneTool) }),
    ...reasoningOf(request, context),
    ...(!adaptations.has("no-temperature") && {
      ...(temperature !== undefined && { temperature }),
      ...(top_p !== undefined && { top_p }),
    }),
    ...formatOf(request),
  };
}

function limitOf({ max_tokens }: MessagesRequest, { facts, adaptations }: CallContext): JsonObject {
  if (max_tokens === undefined || adaptations.has("no-max-tokens")) return {};
  const limit = Math.min(max_tokens, facts.maxOutputTokens ?? max_tokens);
  return { max_output_tokens: Math.max(limit, MIN_OUTPUT_TOKENS) };
}

function reasoningOf(request: MessagesRequest, { adaptations }: CallContext): JsonObject {
  if (adaptations.has("no-effort")) return {};
  const effort = effortOf(request);
  const { type, display } = request.thinking ?? {};
  const isShown = type !== undefined && type !== "disabled" && display !== "omitted";
  const reasoning = {
    ...(effort !== undefined && { effort }),
    ...(isShown && { summary: "auto" }),
  };
  return Object.keys(reasoning).length === 0 ? {} : { reasoning };
}

const oneTool = (name: string): JsonObject => ({ type: "function", name });

function formatOf({ output_config }: MessagesRequest): JsonObject {
  const { type, schema } = objectAt(output_config, "format");
  return type === "json_schema" ? { text: { format: { type, name: "reply", schema } } } : {};
}
