import { readFile } from "node:fs/promises";
import { statsOf } from "./file-errors.ts";
import type { FileStates } from "./file-states.ts";
import { type DecodedText, decodeText } from "./text-file.ts";

/** A file that is about to change: its text and what the model knows of it, nothing yet, or why it must not be touched. */
export type LoadedFile =
  | { readonly kind: "text"; readonly file: DecodedText; readonly seen: Seen }
  | { readonly kind: "none" }
  | { readonly kind: "refused"; readonly reason: string };

/** Whether the model has seen a file: as it is, as it was, not all of it, or not at all. */
export type Seen = "current" | "stale" | "partly" | "never";

const MAX_BYTES = 32 * 1024 * 1024;

/** Loads a file for a change. */
export async function loadFile(path: string, files: FileStates): Promise<LoadedFile> {
  const stats = await statsOf(path);
  if (!stats) return { kind: "none" };
  if (stats.isDirectory()) return refused(`${path} is a folder, not a file.`);
  if (!stats.isFile()) return refused(`${path} is not a regular file.`);
  if (stats.size === 0) return { kind: "text", file: decodeText(Buffer.alloc(0)), seen: "current" };
  if (stats.size > MAX_BYTES) return refused(`${path} is too large to edit. Use Bash with sed or a script.`);
  const seen = files.seen(path, stats.mtimeMs);
  return { kind: "text", file: decodeText(await readFile(path)), seen };
}

/** That a file has changed behind the model's back. */
export function changedSince(path: string): string {
  return `${path} has changed since it was read, by the user or a program. Read it again before changing it.`;
}

function refused(reason: string): LoadedFile {
  return { kind: "refused", reason };
}
