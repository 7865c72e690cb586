import { isJsonObject, type JsonObject } from "@agentwire/protocol";
import { type AssistantMessage, type ContentBlock, contentText } from "@agentwire/protocol/messages";
import type { Draft, EventBody } from "../../store/draft.ts";
import { replyKey } from "./from-stream.ts";
import { rawBody } from "./raw.ts";

/** The finished blocks of a reply, and events for some tool calls; `messageId` is the id that its deltas were sent under. */
export function fromAssistant(
  { message: said, parent_tool_use_id: parent, error, uuid }: AssistantMessage,
  messageId: string,
): readonly Draft[] {
  const message = { ...said, id: messageId };
  const finishes = replyKey(parent ?? "", messageId);
  const within = parent ? { parent } : {};
  // A conversation can be rewound to messages of the agent itself, not to those of a subagent.
  const named = parent || uuid === undefined ? {} : { messageId: uuid };
  const blocks = message.content.map(
    (block): Draft => ({ ...within, finishes, ...named, body: blockBody(block, message) }),
  );
  const effects = message.content.flatMap(effectsOf).map((body): Draft => ({ ...within, body }));
  const failure: Draft[] =
    error === undefined
      ? []
      : [
          {
            ...within,
            body: { case: "error", value: { code: error, message: contentText(message.content) } },
          },
        ];
  return [...blocks, ...effects, ...failure];
}

function blockBody(block: ContentBlock, { id: messageId, model }: AssistantMessage["message"]): EventBody {
  switch (block.type) {
    case "text":
      return { case: "text", value: { messageId, text: block.text, model } };
    case "thinking":
      return { case: "thinking", value: { messageId, text: block.thinking } };
    case "tool_use":
    case "server_tool_use":
    case "mcp_tool_use":
      return {
        case: "toolCallStart",
        value: { toolUseId: block.id, name: block.name, inputJson: JSON.stringify(block.input), messageId },
      };
    default:
      return rawBody("assistant", block.type, block);
  }
}

/** Calls that change what clients show beside the conversation. */
function effectsOf(block: ContentBlock): readonly EventBody[] {
  if (block.type !== "tool_use" || !isJsonObject(block.input)) return [];
  switch (block.name) {
    case "TodoWrite":
      return [{ case: "todoList", value: { items: todosOf(block.input) } }];
    case "EnterPlanMode":
      return [{ case: "planMode", value: { active: true } }];
    case "ExitPlanMode":
      return [{ case: "planMode", value: { active: true, plan: stringOf(block.input.plan) } }];
    default:
      return [];
  }
}

function todosOf({ todos }: JsonObject) {
  if (!Array.isArray(todos)) return [];
  return todos.filter(isJsonObject).map(({ content, status, activeForm }) => ({
    content: stringOf(content),
    status: stringOf(status),
    activeForm: stringOf(activeForm),
  }));
}

const stringOf = (value: unknown) => (typeof value === "string" ? value : "");
