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
          // It belongs to the one result of its message.
          structuredJson:
            results.length === 1 && message.tool_use_result !== undefined
              ? JSON.stringify(message.tool_use_result)
              : "",
        },
      },
    };
  });
}

/** What a tool call printed so far: a progress message without it says only that the call lives, which clients see by themselves. */
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

/** What the output of a call is known by until its result comes. */
const outputKey = (toolUseId: string) => `output\n${toolUseId}`;

const isResult = (block: ContentBlock): block is ToolResultBlock => block.type === "tool_result";

const hasMoreThanText = (content: MessageContent | null | undefined) =>
  Array.isArray(content) && content.some(({ type }) => type !== "text");
