import type { FileHandle } from "node:fs/promises";
import { failure } from "./outcome.ts";
import type { ToolOutcome } from "./tool.ts";

// What the Messages API takes: 5 MB in base64.
const MAX_BYTES = 3.75 * 1024 * 1024;

/** Reads a picture for the model to look at. */
export async function readImage(file: FileHandle, path: string, size: number): Promise<ToolOutcome> {
  if (size > MAX_BYTES) {
    return failure(
      `The image ${path} has ${size} bytes, and at most ${MAX_BYTES} can be shown. Make a smaller copy of it first.`,
    );
  }
  const bytes = await file.readFile();
  const type = imageType(bytes);
  if (!type) return failure(`${path} is not a valid PNG, JPEG, GIF or WebP image.`);
  const base64 = bytes.toString("base64");
  return {
    content: [{ type: "image", source: { type: "base64", media_type: type, data: base64 } }],
    data: { type: "image", file: { base64, type, originalSize: bytes.length } },
  };
}

/** Goes by the content, because the API refuses a picture whose type is not what it says. */
function imageType(bytes: Buffer): "image/png" | "image/jpeg" | "image/gif" | "image/webp" | undefined {
  const start = bytes.toString("latin1", 0, 12);
  if (start.startsWith("\x89PNG\r\n\x1a\n")) return "image/png";
  if (start.startsWith("\xff\xd8\xff")) return "image/jpeg";
  if (start.startsWith("GIF87a") || start.startsWith("GIF89a")) return "image/gif";
  return start.startsWith("RIFF") && start.slice(8) === "WEBP" ? "image/webp" : undefined;
}
