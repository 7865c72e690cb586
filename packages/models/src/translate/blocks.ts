import { isJsonObject, type JsonObject } from "@agentwire/protocol";
import { ModelError } from "../model-error.ts";
import type { MessagesRequest, RequestMessage, RequestTool } from "../request.ts";

/** A block of a request as plain JSON; an unknown block is kept as received. */
export type Block = JsonObject & { readonly type: string };

/** The blocks of a message. */
export function blocksOf(content: unknown): readonly Block[] {
  if (typeof content === "string") return content === "" ? [] : [{ type: "text", text: content }];
  if (!Array.isArray(content)) return [];
  return content.flatMap((block): Block[] => {
    const plain = isJsonObject(block) && block.type === "unknown" ? block.payload : block;
    return isJsonObject(plain) && typeof plain.type === "string" ? [plain as Block] : [];
  });
}

/** Merges consecutive messages of one role: other wires require each call to be directly followed by its result. */
export function joinRoles(
  messages: readonly RequestMessage[],
): readonly { readonly role: RequestMessage["role"]; readonly blocks: readonly Block[] }[] {
  const joined: { role: RequestMessage["role"]; blocks: Block[] }[] = [];
  for (const { role, content } of messages) {
    const last = joined.at(-1);
    if (last?.role === role) last.blocks.push(...blocksOf(content));
    else joined.push({ role, blocks: [...blocksOf(content)] });
  }
  return joined;
}

/** The system prompt as a single string. */
export function systemText({ system }: Pick<MessagesRequest, "system">): string {
  return blocksOf(system)
    .map(({ text }) => (typeof text === "string" ? text : ""))
    .filter((text) => text !== "")
    .join("\n\n");
}

/**
 * The tools offered to a model: those that run locally, except deferred ones that no result refers to. Tools that run at Anthropic are
 * left out; a request with no other tools is rejected.
 */
export function offeredTools({ tools = [], messages, model }: MessagesRequest): readonly RequestTool[] {
  const own = tools.filter((tool) => !runsAtAnthropic(tool));
  const [served] = tools;
  if (served && own.length === 0)
    throw new ModelError(
      400,
      "invalid_request_error",
      `${model} can't use ${served.name}: that tool runs at Anthropic and is available only to its models`,
      { isFinal: true },
    );
  if (own.every(({ defer_loading }) => defer_loading !== true)) return own;
  const named = new Set(messages.flatMap(({ content }) => blocksOf(content).flatMap(references)));
  return own.filter(({ name, defer_loading }) => defer_loading !== true || named.has(name));
}

const runsAtAnthropic = ({ type, input_schema }: RequestTool) =>
  type !== undefined && type !== "custom" && input_schema === undefined;

function references(block: Block): readonly unknown[] {
  if (block.type === "tool_reference") return [block.tool_name];
  return block.type === "tool_result" ? blocksOf(block.content).flatMap(references) : [];
}

/** Describes a block that other wires can't express; undefined for one that means nothing to another model. */
export function inWords(block: Block): string | undefined {
  switch (block.type) {
    case "text":
      return typeof block.text === "string" ? block.text : undefined;
    case "tool_reference":
      return `The tool ${block.tool_name} can be used now.`;
    case "search_result":
      return [block.title, block.source, ...blocksOf(block.content).map(inWords)].filter(Boolean).join("\n");
    case "thinking":
    case "redacted_thinking":
    case "server_tool_use":
    case "mcp_tool_use":
      return undefined;
    default:
      return `[${block.type}: ${JSON.stringify(block.content ?? block.source ?? null).slice(0, 2000)}]`;
  }
}

const ERROR = /^<error>\n([\s\S]*)\n<\/error>$/;

/** The text of a tool's result; other wires can't flag a failure, so the text is marked. */
export const markError = (text: string, isError: boolean): string =>
  isError && !ERROR.test(text) ? `<error>\n${text}\n</error>` : text;
