import { base64, IMAGE_TYPES } from "./images.ts";

/** A file attached to a prompt. */
export interface Attachment {
  readonly kind: "image" | "pdf" | "text";
  readonly name: string;
  readonly mediaType: string;
  /** Base64; for a text file, its text. */
  readonly data: string;
}

/** Size limits. Models accept no larger images; the daemon's request limit leaves 7 MB for a PDF, since base64 adds a third. */
const MOST_BYTES = { image: 5_000_000, pdf: 7_000_000, text: 500_000 } as const;

/** Reads a file as an attachment; resolves with an error message if it can't be attached. */
export async function attach(file: File): Promise<Attachment | string> {
  const { name, type, size } = file;
  const kind = IMAGE_TYPES.has(type) ? "image" : type === "application/pdf" ? "pdf" : "text";
  if (size > MOST_BYTES[kind]) {
    const most = kind === "text" ? "500 KB" : `${MOST_BYTES[kind] / 1_000_000} MB`;
    return `${name} is larger than ${most}${kind === "text" ? ": mention it with @ instead" : ""}.`;
  }
  const bytes = new Uint8Array(await file.arrayBuffer());
  if (kind !== "text") return { kind, name, mediaType: type, data: base64(bytes) };
  const data = textIn(bytes);
  if (data === undefined)
    return `${name} can't be attached: agents accept images (PNG, JPEG, GIF, WebP), PDFs and text files.`;
  return { kind, name, mediaType: "text/plain", data };
}

function textIn(bytes: Uint8Array): string | undefined {
  try {
    const text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    return text.includes("\0") ? undefined : text;
  } catch {
    return undefined;
  }
}

/** A prompt with attachments, as JSON content blocks; empty if there are no attachments. */
export function contentWith(text: string, attachments: readonly Attachment[]): string {
  if (attachments.length === 0) return "";
  const words = text.trim() === "" ? [] : [{ type: "text", text }];
  return JSON.stringify([...attachments.map(blockOf), ...words]);
}

function blockOf({ kind, name, mediaType, data }: Attachment) {
  if (kind === "image") return { type: "image", source: { type: "base64", media_type: mediaType, data } };
  const type = kind === "pdf" ? "base64" : "text";
  return { type: "document", source: { type, media_type: mediaType, data }, title: name };
}

/** The names of the documents among content blocks. */
export function documentsOf(contentJson: string): readonly string[] {
  if (!contentJson.includes('"document"')) return [];
  try {
    const blocks: unknown = JSON.parse(contentJson);
    return Array.isArray(blocks) ? blocks.flatMap(documentName) : [];
  } catch {
    return [];
  }
}

function documentName(block: unknown): readonly string[] {
  const { type, title } = (block ?? {}) as { type?: unknown; title?: unknown };
  return type === "document" ? [typeof title === "string" && title !== "" ? title : "a document"] : [];
}
