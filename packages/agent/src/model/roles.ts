import { isJsonObject } from "@agentwire/protocol";
import type { ContentBlock } from "@agentwire/protocol/messages";
import type { ModelMessage } from "./model.ts";

/** The models that replace the session's own where that is not suitable or not capable. */
export interface ModelRoles {
  /** For labels and summaries. */
  readonly small?: string | undefined;
  /** For subagents whose definition names none. */
  readonly subagents?: string | undefined;
  /** For turns with thinking turned on. */
  readonly thinking?: string | undefined;
  /** For conversations that exceed the context window of the session's own model. */
  readonly longContext?: string | undefined;
  /** For conversations that contain images or documents. */
  readonly images?: string | undefined;
}

const ROLES = ["small", "subagents", "thinking", "longContext", "images"] as const;

/** Reads `modelRoles` from the settings. */
export function readRoles(given: unknown): ModelRoles {
  if (!isJsonObject(given)) return {};
  return Object.fromEntries(
    ROLES.flatMap((role) => {
      const name = given[role];
      return typeof name === "string" && name !== "" ? [[role, name]] : [];
    }),
  );
}

/** Whether a conversation contains images or documents. */
export function showsSomething(messages: readonly ModelMessage[]): boolean {
  return messages.some(({ content }) => typeof content !== "string" && content.some(isShown));
}

function isShown(block: ContentBlock): boolean {
  if (block.type === "image" || block.type === "document") return true;
  return block.type === "tool_result" && Array.isArray(block.content) && block.content.some(isShown);
}
