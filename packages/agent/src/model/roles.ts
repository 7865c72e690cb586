import { isJsonObject } from "@agentwire/protocol";
import type { ContentBlock } from "@agentwire/protocol/messages";
import type { ModelMessage } from "./model.ts";

/** The models that take over from the session's own for what it is not meant for, or can't do. */
export interface ModelRoles {
  /** For labels and summaries. */
  readonly small?: string | undefined;
  /** For subagents that name none themselves. */
  readonly subagents?: string | undefined;
  /** For turns that are told to think. */
  readonly thinking?: string | undefined;
  /** For conversations that the session's own model can't take in. */
  readonly longContext?: string | undefined;
  /** For conversations with pictures or documents in them. */
  readonly images?: string | undefined;
}

const ROLES = ["small", "subagents", "thinking", "longContext", "images"] as const;

/** Reads `modelRoles` of the settings. */
export function readRoles(given: unknown): ModelRoles {
  if (!isJsonObject(given)) return {};
  return Object.fromEntries(
    ROLES.flatMap((role) => {
      const name = given[role];
      return typeof name === "string" && name !== "" ? [[role, name]] : [];
    }),
  );
}

/** Whether there is anything to look at in a conversation. */
export function showsSomething(messages: readonly ModelMessage[]): boolean {
  return messages.some(({ content }) => typeof content !== "string" && content.some(isShown));
}

function isShown(block: ContentBlock): boolean {
  if (block.type === "image" || block.type === "document") return true;
  return block.type === "tool_result" && Array.isArray(block.content) && block.content.some(isShown);
}
