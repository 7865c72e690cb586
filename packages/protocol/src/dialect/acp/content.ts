import type { ContentBlock as AcpBlock } from "@agentclientprotocol/sdk";
import type { ContentBlock, MessageContent } from "../../content/content.ts";
import { isJsonObject, type JsonObject } from "../../json.ts";
import { objectAt, stringAt } from "../spelling.ts";

/** The blocks of a message in the protocol's form. */
export function acpBlocks(content: MessageContent): readonly AcpBlock[] {
  return typeof content === "string" ? [{ type: "text", text: content }] : content.map(acpBlock);
}

function acpBlock(block: ContentBlock): AcpBlock {
  switch (block.type) {
    case "text":
      return { type: "text", text: block.text };
    case "image": {
      const { source } = block;
      if (source.type === "base64") return { type: "image", data: source.data, mimeType: source.media_type };
      return source.type === "url" ? link(source.url) : asJson(block);
    }
    case "document": {
      const { source, title } = block;
      const uri = title ?? NAMELESS;
      if (source.type === "text")
        return { type: "resource", resource: { uri, text: source.data, mimeType: source.media_type } };
      if (source.type === "base64")
        return { type: "resource", resource: { uri, blob: source.data, mimeType: source.media_type } };
      return source.type === "url" ? link(source.url) : asJson(block);
    }
    default:
      return asJson(block);
  }
}

const NAMELESS = "agentwire:document";
const link = (uri: string): AcpBlock => ({ type: "resource_link", name: uri, uri });
/** The model should still see a block that the protocol can't express. */
const asJson = (block: unknown): AcpBlock => ({ type: "text", text: JSON.stringify(block) });

/** Blocks of the protocol in the canonical form. */
export function canonicalBlocks(blocks: unknown): ContentBlock[] {
  return Array.isArray(blocks) ? blocks.filter(isJsonObject).map(canonicalBlock) : [];
}

/** A block of the protocol in the canonical form; one without a canonical equivalent becomes a text that says so. */
export function canonicalBlock(block: JsonObject): ContentBlock {
  switch (block.type) {
    case "text":
      return { type: "text", text: stringAt(block, "text") ?? "" };
    case "image":
      return {
        type: "image",
        source: {
          type: "base64",
          media_type: stringAt(block, "mimeType") ?? "",
          data: stringAt(block, "data") ?? "",
        },
      };
    case "resource_link": {
      const uri = stringAt(block, "uri") ?? "";
      const name = stringAt(block, "title") ?? stringAt(block, "name") ?? uri;
      return { type: "text", text: name === uri ? uri : `[@${name}](${uri})` };
    }
    case "resource":
      return resource(objectAt(block, "resource"));
    case "audio":
      return { type: "text", text: `[audio, ${stringAt(block, "mimeType") ?? "unknown format"}]` };
    default:
      return { type: "text", text: JSON.stringify(block) };
  }
}

function resource(value: JsonObject): ContentBlock {
  const uri = stringAt(value, "uri") ?? NAMELESS;
  const title = uri === NAMELESS ? {} : { title: uri };
  const mimeType = stringAt(value, "mimeType");
  const blob = stringAt(value, "blob");
  if (blob === undefined) {
    const data = stringAt(value, "text") ?? "";
    return {
      type: "document",
      source: { type: "text", media_type: mimeType ?? "text/plain", data },
      ...title,
    };
  }
  if (mimeType?.startsWith("image/"))
    return { type: "image", source: { type: "base64", media_type: mimeType, data: blob } };
  const media_type = mimeType ?? "application/pdf";
  return { type: "document", source: { type: "base64", media_type, data: blob }, ...title };
}
