import { type MessageContent, messageContent } from "@agentwire/protocol/messages";
import { parseJson } from "@agentwire/protocol/support";
import { StoreError } from "./store-error.ts";

/** How much of a queued prompt is shown. */
export const SHOWN_CHARS = 1000;

/** The content of a prompt from its stored JSON; throws a `StoreError` if it can't be read. */
export function contentOf(id: string, json: string | undefined): MessageContent {
  const content = json === undefined ? undefined : parseJson(json);
  if (content !== undefined && messageContent.accepts(content)) return content;
  throw new StoreError("corrupt", `prompt ${id} is damaged in the store: send it again`);
}

/** The displayed text of a prompt, of which one character more than needed was read. */
export const shown = (text: string): string =>
  text.length > SHOWN_CHARS ? `${text.slice(0, SHOWN_CHARS)}…` : text;
