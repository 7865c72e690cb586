import type { JsonObject } from "@agentwire/protocol";
import { textAt } from "../json.ts";
import type { MessagesRequest } from "../request.ts";
import type { CallContext } from "./context.ts";

const CHOICES: Readonly<Record<string, string>> = { auto: "auto", any: "required", none: "none" };

/** Which tools a model may or must call; `oneTool` is the wire's format for requiring a specific one. */
export function toolChoice(
  { tool_choice }: MessagesRequest,
  { names, adaptations }: CallContext,
  oneTool: (name: string) => JsonObject,
): JsonObject {
  const type = textAt(tool_choice, "type");
  if (type === undefined) return {};
  const name = textAt(tool_choice, "name");
  const choice = type === "tool" && name !== undefined ? oneTool(names.toProvider(name)) : CHOICES[type];
  const isSingle = tool_choice?.disable_parallel_tool_use === true && !adaptations.has("no-parallel-choice");
  return {
    ...(choice !== undefined && { tool_choice: choice }),
    ...(isSingle && { parallel_tool_calls: false }),
  };
}
