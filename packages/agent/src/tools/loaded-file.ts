import { lstat, readFile, readlink, realpath } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { statsOf } from "./file-errors.ts";
import type { FileStates } from "./file-states.ts";
import { type DecodedText, decodeText, foreignText, withPlainEndings } from "./text-file.ts";

/**
 * A file that is about to change: its text and what the model knows of it, that it does not exist yet, or why it must not be
 * changed.
 */
export type LoadedFile =
  | { readonly kind: "text"; readonly file: DecodedText; readonly seen: Seen }
  | { readonly kind: "none" }
  | { readonly kind: "refused"; readonly reason: string };

/** What the model has seen of a file: its current content, an older one, a part, or nothing. */
export type Seen = "current" | "stale" | "partly" | "never";

const MAX_BYTES = 32 * 1024 * 1024;

/** Loads a file for a change. */
export async function loadFile(path: string, files: FileStates): Promise<LoadedFile> {
  const link = await linkAt(path);
  if (link) return refused(link);
  const stats = await statsOf(path);
  if (!stats) return { kind: "none" };
  if (stats.isDirectory()) return refused(`${path} is a folder, not a file.`);
  if (!stats.isFile()) return refused(`${path} is not a regular file.`);
  if (stats.size === 0) return { kind: "text", file: decodeText(Buffer.alloc(0)), seen: "current" };
  if (stats.size > MAX_BYTES) return refused(`${path} is too large to edit. Use Bash with sed or a script.`);
  const bytes = await readFile(path);
  const foreign = foreignText(bytes);
  if (foreign !== undefined) return refused(`File ${foreign}. ${KEEP_ENCODING}`);
  const file = decodeText(bytes);
  const seen = files.seen(path, stats.mtimeMs, () => withPlainEndings(file.text));
  return { kind: "text", file, seen };
}

const KEEP_ENCODING =
  "Nothing was written, since that would convert it. Change it with a shell command that keeps its encoding, or ask the user whether to convert it; to replace all of it, delete it first.";

/** Why a link is not written through: its target is not the file that was named. */
async function linkAt(path: string): Promise<string | undefined> {
  const stats = await lstat(path).catch(() => undefined);
  if (!stats?.isSymbolicLink()) return undefined;
  const target = await realpath(path).catch(async () => resolve(dirname(path), await readlink(path)));
  return `Refusing to write ${path}: it is a symbolic link. Write to what it leads to instead: ${target}.`;
}

/** The error for a file that has changed since the model read it. */
export function changedSince(path: string): string {
  return `File has been modified since read, by the user or a program: ${path}. Read it again before changing it.`;
}

function refused(reason: string): LoadedFile {
  return { kind: "refused", reason };
}
