import type { RawMessage } from "@agentwire/api";

/** What an agent says to the user beside the conversation. */
export interface Notice {
  readonly text: string;
  readonly isWarning: boolean;
}

/** Reads a `system/informational` message; undefined if it is another, or says nothing. */
export function noticeIn({ type, subtype, json }: RawMessage): Notice | undefined {
  if (type !== "system" || subtype !== "informational") return undefined;
  try {
    const { content, level } = JSON.parse(json) as { content?: unknown; level?: unknown };
    return typeof content === "string" ? { text: content, isWarning: level === "warning" } : undefined;
  } catch {
    // What was too long to be stored was cut.
    return undefined;
  }
}
