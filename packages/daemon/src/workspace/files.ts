import { constants } from "node:fs";
import { open, realpath } from "node:fs/promises";
import { extname, join, sep } from "node:path";
import { DaemonError } from "../errors.ts";
import type { FileList } from "./file-list.ts";

const MOST_NAMES = 5000;
const MOST_TEXT = 1_000_000;
const MOST_IMAGE = 5_000_000;
/** How many bytes decide whether a file is binary, as in git. */
const LOOKED_AT = 8000;

const IMAGES: ReadonlyMap<string, string> = new Map([
  [".png", "image/png"],
  [".jpg", "image/jpeg"],
  [".jpeg", "image/jpeg"],
  [".gif", "image/gif"],
  [".webp", "image/webp"],
]);

/** The listed content of a folder, folders first; the names of folders end with a slash. */
export function filesIn({ paths }: FileList, folder: string): { names: string[]; truncated: boolean } {
  const start = folder === "" || folder.endsWith("/") ? folder : `${folder}/`;
  const names = paths.flatMap((path) => {
    const name = path.startsWith(start) ? path.slice(start.length) : "";
    const slash = name.indexOf("/");
    return name !== "" && (slash === -1 || slash === name.length - 1) ? [name] : [];
  });
  const isFile = (name: string) => Number(!name.endsWith("/"));
  names.sort((one, other) => isFile(one) - isFile(other) || one.localeCompare(other, "en"));
  return { names: names.slice(0, MOST_NAMES), truncated: names.length > MOST_NAMES };
}

/** A file as clients see it. */
export interface FileContent {
  readonly text: string;
  readonly size: bigint;
  readonly truncated: boolean;
  readonly binary: boolean;
  readonly image?: Uint8Array<ArrayBuffer>;
  readonly mediaType?: string;
}

/** Reads a file of a list; rejects ignored files, paths outside the folder, pipes and devices. */
export async function readListed(folder: string, { paths }: FileList, path: string): Promise<FileContent> {
  if (path.endsWith("/") || !paths.includes(path))
    throw new DaemonError("INVALID_ARGUMENT", `path: ${path} is not a file here, or is ignored`);
  const root = await realpath(folder);
  try {
    const real = await realpath(join(root, path));
    if (!real.startsWith(root.endsWith(sep) ? root : root + sep))
      throw new Error("it leads out of the folder");
    return await readContent(real);
  } catch (cause) {
    const { code, message } = cause as NodeJS.ErrnoException;
    const why = code === "EACCES" ? "the daemon's user may not read it" : message;
    throw new DaemonError("INVALID_ARGUMENT", `path: ${path} can't be read: ${why}`, { cause });
  }
}

async function readContent(path: string): Promise<FileContent> {
  // A plain open would block on a pipe without a writer.
  const file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW);
  try {
    const stats = await file.stat();
    if (!stats.isFile()) throw new Error("it is not a regular file");
    const mediaType = IMAGES.get(extname(path).toLowerCase());
    const isImage = mediaType !== undefined && stats.size <= MOST_IMAGE;
    const { buffer, bytesRead } = await file.read({
      buffer: new Uint8Array(Math.min(stats.size, isImage ? MOST_IMAGE : MOST_TEXT)),
    });
    const bytes = buffer.subarray(0, bytesRead);
    const size = BigInt(stats.size);
    const binary = bytes.subarray(0, LOOKED_AT).includes(0);
    if (isImage) return { text: "", size, truncated: false, binary: true, image: bytes, mediaType };
    // Leaves out a character that was cut in two.
    const text = binary ? "" : new TextDecoder().decode(bytes, { stream: true });
    return { text, size, truncated: !binary && stats.size > bytesRead, binary };
  } finally {
    await file.close();
  }
}
