import { isJsonObject, type JsonObject } from "@agentwire/protocol";
import type { ContentBlock, ImageBlock } from "@agentwire/protocol/messages";
import { isBase64, MAX_IMAGE_CHARS } from "../model/media.ts";
import { extensionOf, type KeepFile } from "./keep-file.ts";

type InlineImage = Extract<ImageBlock["source"], { type: "base64" }>;

const IMAGE_TYPES: readonly string[] = ["image/jpeg", "image/png", "image/gif", "image/webp"];

/**
 * Converts one piece of MCP content to a block for the model; content that a model can't see is saved to a file that the block
 * names.
 */
export async function toBlock(piece: unknown, server: string, keep: KeepFile): Promise<ContentBlock> {
  if (!isJsonObject(piece)) return text(JSON.stringify(piece) ?? "");
  switch (piece.type) {
    case "text":
      return text(typeof piece.text === "string" ? piece.text : "");
    case "image":
    case "audio":
      return await mediaBlock(piece, keep, piece.type === "image" ? "The picture" : "The sound");
    case "resource":
      return await resourceBlock(isJsonObject(piece.resource) ? piece.resource : {}, server, keep);
    case "resource_link": {
      const { name, uri, description } = piece;
      const about = typeof description === "string" ? `: ${description}` : "";
      return text(`[Resource of ${server}: ${String(name ?? uri)} at ${String(uri)}${about}]`);
    }
    default:
      return text(JSON.stringify(piece));
  }
}

/** A text block. */
export function text(value: string): ContentBlock {
  return { type: "text", text: value };
}

async function resourceBlock(resource: JsonObject, server: string, keep: KeepFile): Promise<ContentBlock> {
  const { uri, mimeType, text: body, blob } = resource;
  const from = `[Resource of ${server} at ${String(uri)}]`;
  if (typeof body === "string") return text(`${from} ${body}`);
  return await mediaBlock({ data: blob, mimeType }, keep, from);
}

async function mediaBlock(media: JsonObject, keep: KeepFile, what: string): Promise<ContentBlock> {
  const { data } = media;
  const mimeType = typeof media.mimeType === "string" ? media.mimeType.toLowerCase() : "";
  // A single invalid image would make the Messages API refuse the conversation from then on.
  if (typeof data !== "string" || !isBase64(data)) return text(`${what} came without readable data.`);
  if (isImageType(mimeType) && data.length <= MAX_IMAGE_CHARS) {
    return { type: "image", source: { type: "base64", media_type: mimeType, data } };
  }
  const bytes = Buffer.from(data, "base64");
  const path = await keep(bytes, extensionOf(mimeType));
  return text(`${what} (${mimeType || "of unknown type"}, ${bytes.length} bytes) was saved to ${path}`);
}

function isImageType(mimeType: string): mimeType is InlineImage["media_type"] {
  return IMAGE_TYPES.includes(mimeType);
}
