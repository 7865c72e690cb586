import { isJsonObject } from "@agentwire/protocol";
import type { Tool, ToolOutcome } from "../tools/tool.ts";

/**
 * The outcome of a call whose result a hook replaces: with text, blocks, or data of the tool's own kind. Nothing of the original
 * result remains, because the hook may want to hide it. Undefined if the replacement is none of these.
 */
export function replacedOutput(
  tool: Tool | undefined,
  outcome: ToolOutcome,
  output: unknown,
): ToolOutcome | undefined {
  if (typeof output === "string") return { content: output, data: output };
  if (isBlocks(output))
    return typeof outcome.content === "string" ? undefined : { content: output, data: output };
  if (!hasShapeOf(outcome.data, output)) return undefined;
  const shown = isJsonObject(output) ? tool?.show?.(output) : undefined;
  return { content: shown ?? JSON.stringify(output), data: output };
}

function isBlocks(value: unknown): value is ToolOutcome["content"] & readonly unknown[] {
  return Array.isArray(value) && value.length > 0 && value.every(isBlock);
}

const isBlock = (value: unknown) =>
  isJsonObject(value) &&
  (value.type === "text"
    ? typeof value.text === "string" && value.text !== ""
    : value.type === "image" && isJsonObject(value.source));

/** Whether a value has the fields of the model, with the same types; boolean fields may be missing. */
function hasShapeOf(model: unknown, value: unknown): boolean {
  if (!isJsonObject(model)) return Array.isArray(model) && Array.isArray(value);
  return (
    isJsonObject(value) &&
    Object.entries(model).every(([key, part]) => {
      if (!Object.hasOwn(value, key)) return part === undefined || typeof part === "boolean";
      const given = value[key];
      return isJsonObject(part) ? hasShapeOf(part, given) : kindOf(part) === kindOf(given);
    })
  );
}

const kindOf = (value: unknown) => (Array.isArray(value) ? "list" : value === null ? "null" : typeof value);
