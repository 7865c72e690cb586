import type { FileHandle } from "node:fs/promises";
import { imageTypeOf } from "../model/media.ts";
import { failure } from "./outcome.ts";
import type { ToolOutcome } from "./tool.ts";

// The limit of the Messages API: 5 MB in base64.
const MAX_BYTES = 3.75 * 1024 * 1024;

/** Reads an image for the model. */
export async function readImage(file: FileHandle, path: string, size: number): Promise<ToolOutcome> {
  if (size > MAX_BYTES) {
    return failure(
      `The image ${path} has ${size} bytes, and at most ${MAX_BYTES} can be shown. Make a smaller copy of it first.`,
    );
  }
  const bytes = await file.readFile();
  const type = imageTypeOf(bytes);
  if (!type) return failure(`${path} is not a valid PNG, JPEG, GIF or WebP image.`);
  const base64 = bytes.toString("base64");
  return {
    content: [{ type: "image", source: { type: "base64", media_type: type, data: base64 } }],
    data: { type: "image", file: { base64, type, originalSize: bytes.length } },
  };
}
