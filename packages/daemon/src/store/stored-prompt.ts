import { type MessageContent, messageContent } from "@agentwire/protocol/messages";
import { StoreError } from "./store-error.ts";

/** How much of a waiting prompt is shown. */
export const SHOWN_CHARS = 1000;

/** What a prompt says, from its stored JSON; throws a `StoreError` if that can't be read. */
export function contentOf(id: string, json: string | undefined): MessageContent {
  const content = json === undefined ? undefined : parsed(json);
  if (content !== undefined && messageContent.accepts(content)) return content;
  throw new StoreError("corrupt", `prompt ${id} is damaged in the store: send it again`);
}

/** The text of a prompt as it is shown, of which one character more than that was read. */
export const shown = (text: string): string =>
  text.length > SHOWN_CHARS ? `${text.slice(0, SHOWN_CHARS)}…` : text;

function parsed(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}
