import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { makeOutputFolder } from "../files/output-folder.ts";

/** Saves something that does not fit into the conversation to a file; resolves with its path. */
export type KeepFile = (bytes: string | Uint8Array, extension: string) => Promise<string>;

/** Saves files in `folder`, named `stem` and a number. */
export function keepIn(folder: string, stem: string): KeepFile {
  const safeStem = stem.replace(/[^A-Za-z0-9_-]/g, "_").slice(0, 150);
  let count = 0;
  return async (bytes, extension) => {
    count++;
    const path = join(folder, `${safeStem}${count === 1 ? "" : `-${count}`}.${extension}`);
    makeOutputFolder(folder);
    await writeFile(path, bytes, { mode: 0o600 });
    return path;
  };
}

/** The extension for a MIME type; `bin` if it has none that is safe in a file name. */
export function extensionOf(mimeType: string): string {
  const subtype = /^[a-z]+\/([a-z0-9]{1,10})\b/.exec(mimeType.toLowerCase())?.[1];
  return subtype === undefined ? "bin" : (EXTENSIONS.get(subtype) ?? subtype);
}

const EXTENSIONS: ReadonlyMap<string, string> = new Map([
  ["jpeg", "jpg"],
  ["plain", "txt"],
  ["mpeg", "mp3"],
  ["markdown", "md"],
]);
