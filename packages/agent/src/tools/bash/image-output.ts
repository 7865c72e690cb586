import type { ImageBlock } from "@agentwire/protocol/messages";
import type { OutputFiles } from "./output-files.ts";

// It goes into one line twice, and some hosts read no line longer than 1 MiB.
const MAX_CHARS = 400_000;
const DATA_URL = /^data:(image\/(?:png|jpeg|gif|webp));base64,([A-Za-z0-9+/]+={0,2})\s*$/;
const PREFIX = "data:image/";

/** An output that is an image. */
export interface ImageOutput {
  readonly url: string;
  readonly block: ImageBlock;
}

/** Reads the output of a command that printed nothing but an image as a data URL. */
export function readImage(files: OutputFiles): ImageOutput | undefined {
  const start = files.read(0, PREFIX.length);
  if (start.toString("latin1") !== PREFIX || files.size(0) > MAX_CHARS) return undefined;
  const url = files.read(0, MAX_CHARS).toString("latin1").trimEnd();
  const [, mediaType, data] = DATA_URL.exec(url) ?? [];
  if (mediaType === undefined || data === undefined) return undefined;
  return { url, block: { type: "image", source: { type: "base64", media_type: mediaType, data } } };
}
