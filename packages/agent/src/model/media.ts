/** The image types that a model can see. */
export type ImageType = "image/png" | "image/jpeg" | "image/gif" | "image/webp";

/** The maximum size of one image in the Messages API, in base64. */
export const MAX_IMAGE_CHARS = 5 * 1024 * 1024;
/** The maximum size of one document: a whole request is limited to 32 MB. */
export const MAX_DOCUMENT_CHARS = 32 * 1024 * 1024;

const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/;

/** Whether a text is valid, non-empty base64. */
export const isBase64 = (text: string): boolean => text.length % 4 !== 1 && BASE64.test(text);

/** Determined from the content, because the API refuses an image whose declared type is wrong. */
export function imageTypeOf(bytes: Buffer): ImageType | undefined {
  const start = bytes.toString("latin1", 0, 12);
  if (start.startsWith("\x89PNG\r\n\x1a\n")) return "image/png";
  if (start.startsWith("\xff\xd8\xff")) return "image/jpeg";
  if (start.startsWith("GIF87a") || start.startsWith("GIF89a")) return "image/gif";
  return start.startsWith("RIFF") && start.slice(8) === "WEBP" ? "image/webp" : undefined;
}

/** A few bytes may precede the signature of a PDF. */
export const isPdf = (bytes: Buffer): boolean => bytes.subarray(0, 1024).includes("%PDF-");
