import {
  type ContentBlock,
  contentText,
  type MessageContent,
  type ToolProgressMessage,
  type ToolResultBlock,
  type UserMessage,
} from "@agentwire/protocol/messages";
import type { Draft } from "../../store/draft.ts";

/** The start of a tool call in milliseconds, by any clock; undefined if it was not seen. */
export type StartOf = (toolUseId: string) => number | undefined;

/** The results of tools; other user messages of the agent are not events. */
export function fromUser(message: UserMessage, now: number, startOf: StartOf): readonly Draft[] {
  const { content } = message.message;
  if (typeof content === "string" || message.isReplay) return [];
  const results = content.filter(isResult);
  const within = message.parent_tool_use_id ? { parent: message.parent_tool_use_id } : {};
  return results.map((result): Draft => {
    const begun = startOf(result.tool_use_id);
    return {
      ...within,
      finishes: outputKey(result.tool_use_id),
      body: {
        case: "toolCallResult",
        value: {
          toolUseId: result.tool_use_id,
          text: contentText(result.content),
          contentJson: hasMoreThanText(result.content) ? JSON.stringify(result.content) : "",
          isError: result.is_error ?? false,
          durationMs: begun === undefined ? 0n : BigInt(Math.max(0, Math.round(now - begun))),
          // A message with this field has only one result.
          structuredJson:
            results.length === 1 && message.tool_use_result !== undefined
              ? JSON.stringify(message.tool_use_result)
              : "",
        },
      },
    };
  });
}

/** The new output of a tool call; a progress message without output is a mere heartbeat and yields no event. */
export function fromProgress({
  tool_use_id: toolUseId,
  output: text,
  output_cut: cut,
}: ToolProgressMessage): readonly Draft[] {
  if (text === undefined || text === "") return [];
  return [
    {
      deltaOf: outputKey(toolUseId),
      body: { case: "toolOutputDelta", value: { toolUseId, text, cut: cut === true } },
    },
  ];
}

/** The key of a call's output until its result arrives. */
const outputKey = (toolUseId: string) => `output\n${toolUseId}`;

const isResult = (block: ContentBlock): block is ToolResultBlock => block.type === "tool_result";

const hasMoreThanText = (content: MessageContent | null | undefined) =>
  Array.isArray(content) && content.some(({ type }) => type !== "text");
