import { textAt } from "../json.ts";
import { ModelError } from "../model-error.ts";
import { type Block, blocksOf } from "./blocks.ts";

/** What a model can look at. */
export interface Sight {
  /** The model's name, for those who are told what it can't do. */
  readonly model: string;
  readonly images: boolean;
  readonly documents: boolean;
}

/** A picture or document in a form that every wire has: an address, or data as an address. */
export type Media =
  | { readonly kind: "image"; readonly url: string }
  | { readonly kind: "file"; readonly name: string; readonly url: string }
  | { readonly kind: "blocks"; readonly blocks: readonly Block[] };

/** Whether a block is a picture or a document. */
export const isMedia = ({ type }: Block): boolean => type === "image" || type === "document";

/** A picture or a document for another wire; throws what the agent and its user should know if the model can't take it. */
export function mediaOf(block: Block, sight: Sight): Media {
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
  if (url === undefined) throw refused(sight, `a file that Anthropic keeps can't be sent (${block.type})`);
  if (block.type === "image") {
    if (!sight.images) throw refused(sight, "it takes no images");
    return { kind: "image", url };
  }
  if (!sight.documents) throw refused(sight, "it takes no PDF documents");
  return { kind: "file", name: title ?? "document.pdf", url };
}

function addressOf(source: Block | undefined): string | undefined {
  if (source?.type === "url") return textAt(source, "url");
  const data = textAt(source, "data");
  return source?.type === "base64" && data !== undefined
    ? `data:${source.media_type};base64,${data}`
    : undefined;
}

const refused = ({ model }: Sight, why: string) =>
  new ModelError(400, "invalid_request_error", `${model} can't take this image or document: ${why}`, {
    isFinal: true,
  });
