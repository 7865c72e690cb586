import { isJsonObject } from "@agentwire/protocol";
import type { ToolUseBlock } from "@agentwire/protocol/messages";
import { blocksOf, type Entry } from "./entry.ts";

/** The call of this id, if nothing has come after it: then it has not run, and can be taken up. */
export function putOffCall(kept: readonly Entry[], id: string | undefined): ToolUseBlock | undefined {
  const last = kept.at(-1);
  if (id === undefined || last?.type !== "assistant") return undefined;
  const call = blocksOf(last).find((block) => block.type === "tool_use" && block.id === id);
  if (typeof call?.name !== "string" || !isJsonObject(call.input)) return undefined;
  return { type: "tool_use", id, name: call.name, input: call.input };
}
