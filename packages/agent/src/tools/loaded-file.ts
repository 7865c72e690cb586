import { readFile } from "node:fs/promises";
import { statsOf } from "./file-errors.ts";
import type { FileStates } from "./file-states.ts";
import { type DecodedText, decodeText } from "./text-file.ts";

/** A file that is about to change: its text, nothing yet, or why it must not be touched. */
export type LoadedFile =
  | { readonly kind: "text"; readonly file: DecodedText }
  | { readonly kind: "none" }
  | { readonly kind: "refused"; readonly reason: string };

const MAX_BYTES = 32 * 1024 * 1024;

/** Loads a file for a change, provided that the model has seen it as it is now. */
export async function loadSeen(path: string, files: FileStates): Promise<LoadedFile> {
  const stats = await statsOf(path);
  if (!stats) return { kind: "none" };
  if (stats.isDirectory()) return refused(`${path} is a folder, not a file.`);
  if (!stats.isFile()) return refused(`${path} is not a regular file.`);
  if (stats.size === 0) return { kind: "text", file: decodeText(Buffer.alloc(0)) };
  const seen = files.get(path);
  if (!seen) return refused(`${path} has not been read yet. Read it before changing it.`);
  if (seen.mtimeMs !== stats.mtimeMs) {
    return refused(
      `${path} has changed since it was read, by the user or a program. Read it again before changing it.`,
    );
  }
  if (stats.size > MAX_BYTES) return refused(`${path} is too large to edit. Use Bash with sed or a script.`);
  return { kind: "text", file: decodeText(await readFile(path)) };
}

function refused(reason: string): LoadedFile {
  return { kind: "refused", reason };
}
