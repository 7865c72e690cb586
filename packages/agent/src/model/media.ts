/** The pictures that a model can look at. */
export type ImageType = "image/png" | "image/jpeg" | "image/gif" | "image/webp";

/** What the Messages API takes as one picture, in base64. */
export const MAX_IMAGE_CHARS = 5 * 1024 * 1024;
/** What it takes as one document: a whole request has 32 MB. */
export const MAX_DOCUMENT_CHARS = 32 * 1024 * 1024;

const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/;

/** Whether a text is base64 and holds something. */
export const isBase64 = (text: string): boolean => text.length % 4 !== 1 && BASE64.test(text);

/** Goes by the content, because the API refuses a picture whose type is not what it says. */
export function imageTypeOf(bytes: Buffer): ImageType | undefined {
  const start = bytes.toString("latin1", 0, 12);
  if (start.startsWith("\x89PNG\r\n\x1a\n")) return "image/png";
  if (start.startsWith("\xff\xd8\xff")) return "image/jpeg";
  if (start.startsWith("GIF87a") || start.startsWith("GIF89a")) return "image/gif";
  return start.startsWith("RIFF") && start.slice(8) === "WEBP" ? "image/webp" : undefined;
}

/** A PDF may have something before its mark, but not much. */
export const isPdf = (bytes: Buffer): boolean => bytes.subarray(0, 1024).includes("%PDF-");
