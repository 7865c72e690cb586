import { mkdirSync, readFileSync, rmdirSync, rmSync, writeFileSync } from "node:fs";

/** A name that has to be closed though nothing is there yet. */
export interface Placeholder {
  readonly path: string;
  /** What stands in a file of that name; without it, it is a folder. */
  readonly text?: string;
}

/** How many sandboxes need each of those that were made here. */
const held = new Map<string, number>();

/**
 * Puts something harmless under names that are not there, since only what is there can be closed; gives the names, and a function that
 * removes them, unless another sandbox needs them or somebody has put something in.
 */
export function holdPlaceholders(wanted: readonly Placeholder[]): {
  readonly made: readonly string[];
  release(): void;
} {
  const made = wanted.filter(make);
  for (const { path } of made) held.set(path, (held.get(path) ?? 0) + 1);
  let isHeld = true;
  return {
    made: made.map(({ path }) => path),
    release() {
      if (!isHeld) return;
      isHeld = false;
      for (const one of made) letGo(one);
    },
  };
}

function make({ path, text }: Placeholder): boolean {
  if (held.has(path)) return true;
  try {
    if (text === undefined) mkdirSync(path);
    else writeFileSync(path, text, { flag: "wx" });
    return true;
  } catch {
    // A file of ours is what a daemon that was killed has left. Else it is somebody's, or nothing can be put there from inside either.
    return text !== undefined && isText(path, text);
  }
}

function letGo({ path, text }: Placeholder): void {
  const others = (held.get(path) ?? 1) - 1;
  if (others > 0) {
    held.set(path, others);
    return;
  }
  held.delete(path);
  try {
    if (text === undefined) rmdirSync(path);
    else if (isText(path, text)) rmSync(path);
  } catch {
    // Somebody uses it by now.
  }
}

function isText(path: string, text: string): boolean {
  try {
    return readFileSync(path, "utf8") === text;
  } catch {
    return false;
  }
}
