import type { Stats } from "node:fs";
import { stat } from "node:fs/promises";

/** Tells whether an operation of Node failed with one of these codes. */
export function hasCode(error: unknown, ...codes: readonly string[]): boolean {
  return typeof error === "object" && error !== null && "code" in error && codes.includes(String(error.code));
}

/** What is at a path, links followed; undefined if nothing is. */
export async function statsOf(path: string): Promise<Stats | undefined> {
  try {
    return await stat(path);
  } catch (error) {
    if (hasCode(error, "ENOENT", "ENOTDIR")) return undefined;
    throw error;
  }
}
