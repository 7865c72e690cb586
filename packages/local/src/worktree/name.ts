import { randomInt } from "node:crypto";
import { WorktreeError } from "./error.ts";

const MAX_CHARS = 64;
const SEGMENT = /^[A-Za-z0-9._-]+$/;
/** Names that git rejects for a branch although every character is valid. */
const REJECTED = /\.\.|\.$|\.lock$/;

/** The name of a worktree on disk and in its branch, without slashes, which would create folders. Throws a `WorktreeError`. */
export function flatName(name: string): string {
  const segments = name.split("/");
  const isSound = segments.every((segment) => SEGMENT.test(segment) && segment !== "." && segment !== "..");
  if (!isSound || name.length > MAX_CHARS || REJECTED.test(name) || name.startsWith("-"))
    throw new WorktreeError(
      "bad_name",
      `${JSON.stringify(name.slice(0, 100))} can't be the name of a worktree: use letters, digits, dots, underscores and dashes, at most ${MAX_CHARS} characters`,
    );
  return segments.join("+");
}

/** The branch of a worktree. */
export const branchOf = (flat: string): string => `worktree-${flat}`;

const HOW =
  "able brave bright calm clear deft eager fair fine glad keen kind light neat prime quick quiet sharp swift warm";
const WHAT =
  "ash birch brook cedar cliff dune elm fern field fjord glade grove heath lake maple marsh oak pine reed ridge";

/** A random name for a worktree. */
export function randomName(): string {
  const one = (words: readonly string[]) => words[randomInt(words.length)] ?? "";
  return `${one(HOW.split(" "))}-${one(WHAT.split(" "))}-${randomInt(0x1000, 0x10000).toString(16)}`;
}
