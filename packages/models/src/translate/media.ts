import type { JsonObject } from "@agentwire/protocol";
import { textAt } from "../json.ts";
import { ModelError } from "../model-error.ts";
import { type Block, blocksOf, inWords } from "./blocks.ts";
import type { CallContext } from "./context.ts";

/** An image or document in a form that every wire supports: a URL or a data URL. */
type Media =
  | { readonly kind: "image"; readonly url: string }
  | { readonly kind: "file"; readonly name: string; readonly url: string }
  | { readonly kind: "blocks"; readonly blocks: readonly Block[] };

/** Whether a block is an image or a document. */
export const isMedia = ({ type }: Block): boolean => type === "image" || type === "document";

/** Writes the parts of a message for a wire. */
export interface PartWriter {
  image(url: string): JsonObject;
  file(name: string, url: string): JsonObject;
  text(text: string, block: Block): JsonObject;
}

/** Converts a block to message parts of another wire; throws an error meant for the user if the model can't accept it. */
export function partsOf(block: Block, context: CallContext, write: PartWriter): readonly JsonObject[] {
  if (!isMedia(block)) {
    const text = inWords(block);
    return text === undefined ? [] : [write.text(text, block)];
  }
  const media = mediaOf(block, context);
  if (media.kind === "image") return [write.image(media.url)];
  if (media.kind === "file") return [write.file(media.name, media.url)];
  return media.blocks.flatMap((inner) => partsOf(inner, context, write));
}

function mediaOf(block: Block, context: CallContext): Media {
  const source = block.source as Block | undefined;
  const title = textAt(block, "title");
  if (block.type === "document" && (source?.type === "text" || source?.type === "content")) {
    const inner = source.type === "text" ? blocksOf(textAt(source, "data") ?? "") : blocksOf(source.content);
    return {
      kind: "blocks",
      blocks: title === undefined ? inner : [{ type: "text", text: title }, ...inner],
    };
  }
  const url = addressOf(source);
  if (url === undefined) throw refused(context, `files stored at Anthropic can't be sent (${block.type})`);
  if (block.type === "image") {
    if (context.facts.images === false) throw refused(context, "it does not accept images");
    return { kind: "image", url };
  }
  if (context.facts.documents === false) throw refused(context, "it does not accept PDF documents");
  return { kind: "file", name: title ?? "document.pdf", url };
}

function addressOf(source: Block | undefined): string | undefined {
  if (source?.type === "url") return textAt(source, "url");
  const data = textAt(source, "data");
  return source?.type === "base64" && data !== undefined
    ? `data:${source.media_type};base64,${data}`
    : undefined;
}

const refused = ({ provider, model }: CallContext, why: string) =>
  new ModelError(
    400,
    "invalid_request_error",
    `${provider.name}/${model} can't take this image or document: ${why}`,
    { isFinal: true },
  );
