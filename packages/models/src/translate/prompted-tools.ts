import type { JsonObject } from "@agentwire/protocol";
import { textAt } from "../json.ts";
import type { MessagesRequest, RequestMessage, RequestTool } from "../request.ts";
import { type Block, blocksOf, inWords, markError, offeredTools } from "./blocks.ts";
import { isMedia } from "./media.ts";

/** The info string of a code block that calls a tool. */
export const CALL = "tool_call";

/** Converts a request for a model without tool calling: tools are described in the system prompt, and earlier calls and results become text. */
export function withPromptedTools(request: MessagesRequest): MessagesRequest {
  const { tools: _tools, tool_choice, ...rest } = request;
  const offered = offeredTools(request);
  return {
    ...rest,
    ...(offered.length > 0 && {
      system: [...blocksOf(request.system), { type: "text", text: describe(offered, tool_choice) }],
    }),
    messages: request.messages.map(inText(request.messages)),
  };
}

function describe(tools: readonly RequestTool[], choice: JsonObject | undefined): string {
  return [
    `# Tools

To call a tool, write a block like this one, with JSON on the lines between:

${callText("the name of the tool", { "name of an argument": "its value" })}

Write several blocks to call several tools. End your reply after the last block: the results come in the next message. Never write results yourself.
${demand(choice)}
You have these tools, each with the JSON Schema of its arguments:`,
    ...tools.map(
      ({ name, description, input_schema }) =>
        `## ${name}\n${description ?? ""}\n${JSON.stringify(input_schema ?? { type: "object" })}`,
    ),
  ].join("\n\n");
}

function demand(choice: JsonObject | undefined): string {
  switch (choice?.type) {
    case "any":
      return "Your next reply has to call a tool.\n";
    case "tool":
      return `Your next reply has to call the tool ${choice.name}.\n`;
    case "none":
      return "Call no tool in your next reply.\n";
    default:
      return "";
  }
}

const callText = (name: string, input: unknown) =>
  `\`\`\`${CALL}\n${JSON.stringify({ name, arguments: input })}\n\`\`\``;

/** Writes calls and their results in the format that the system prompt describes. */
function inText(messages: readonly RequestMessage[]): (message: RequestMessage) => RequestMessage {
  const names = new Map<unknown, string>();
  for (const { content } of messages)
    for (const { type, id, name } of blocksOf(content)) if (type === "tool_use") names.set(id, String(name));
  return ({ role, content }) => ({
    role,
    content: blocksOf(content).flatMap((block): readonly Block[] => {
      if (block.type === "tool_use")
        return [{ type: "text", text: callText(textAt(block, "name") ?? "", block.input ?? {}) }];
      if (block.type !== "tool_result") return [block];
      const parts = blocksOf(block.content);
      const words = parts.filter((part) => !isMedia(part)).map(inWords);
      const text = markError(words.filter((word) => word !== undefined).join("\n"), block.is_error === true);
      const head = `Result of ${names.get(block.tool_use_id) ?? "the tool"}:`;
      return [{ type: "text", text: `${head}\n${text}` }, ...parts.filter(isMedia)];
    }),
  });
}
