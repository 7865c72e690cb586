import { execFile } from "node:child_process";
import { readFile, stat } from "node:fs/promises";
import { extname } from "node:path";
import type { Picture } from "./model/state.ts";

const MEDIA_TYPES: ReadonlyMap<string, string> = new Map([
  [".png", "image/png"],
  [".jpg", "image/jpeg"],
  [".jpeg", "image/jpeg"],
  [".gif", "image/gif"],
  [".webp", "image/webp"],
]);

/** The limit of the Messages API. */
const MAX_BYTES = 5 * 1024 * 1024;

/** Programs that print the image in the clipboard, for Wayland, X11 and macOS. */
const CLIPBOARDS: readonly (readonly [string, readonly string[]])[] = [
  ["wl-paste", ["--type", "image/png"]],
  ["xclip", ["-selection", "clipboard", "-target", "image/png", "-out"]],
  ["pngpaste", ["-"]],
];

/** The image in the clipboard; undefined if there is none. */
export async function clipboardPicture(): Promise<Picture | undefined> {
  for (const [program, args] of CLIPBOARDS) {
    const data = await output(program, args);
    if (data && isPng(data)) return { mediaType: "image/png", base64: data.toString("base64") };
  }
  return undefined;
}

function output(program: string, args: readonly string[]): Promise<Buffer | undefined> {
  return new Promise((resolve) => {
    const options = { encoding: "buffer", timeout: 3000, maxBuffer: MAX_BYTES } as const;
    execFile(program, args, options, (error, stdout) => resolve(error ? undefined : stdout));
  });
}

const isPng = (data: Buffer) => data.subarray(1, 4).toString("latin1") === "PNG";

/** The image whose path was pasted, as terminals do for dropped files; undefined for any other text. */
export async function pictureAt(pasted: string): Promise<Picture | undefined> {
  const path = pasted
    .trim()
    .replace(/^'(.*)'$/, "$1")
    .replaceAll("\\ ", " ");
  const mediaType = MEDIA_TYPES.get(extname(path).toLowerCase());
  if (mediaType === undefined || path.includes("\n") || !path.startsWith("/")) return undefined;
  const found = await stat(path).catch(() => undefined);
  if (!found?.isFile() || found.size > MAX_BYTES) return undefined;
  return { mediaType, base64: (await readFile(path)).toString("base64") };
}

/** A prompt with images, as content blocks. */
export function contentOf(text: string, pictures: readonly Picture[]): string {
  const images = pictures.map(({ mediaType, base64 }) => ({
    type: "image",
    source: { type: "base64", media_type: mediaType, data: base64 },
  }));
  return JSON.stringify([...images, ...(text === "" ? [] : [{ type: "text", text }])]);
}
