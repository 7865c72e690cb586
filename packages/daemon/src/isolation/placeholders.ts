import { mkdirSync, readFileSync, rmdirSync, rmSync, writeFileSync } from "node:fs";

/** A path that must be read-only in the sandbox although nothing exists there yet. */
export interface Placeholder {
  readonly path: string;
  /** The content of the file; undefined for a folder. */
  readonly text?: string;
}

/** How many sandboxes use each created placeholder. */
const held = new Map<string, number>();

/**
 * Creates something harmless at missing paths, since only existing paths can be made read-only. Returns the created paths and a function
 * that removes them, unless another sandbox uses them or their content has changed.
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
    // A file with our content was left by a daemon that was killed. Otherwise the path is in use, or can't be created from inside either.
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
    // It is in use by now.
  }
}

function isText(path: string, text: string): boolean {
  try {
    return readFileSync(path, "utf8") === text;
  } catch {
    return false;
  }
}
