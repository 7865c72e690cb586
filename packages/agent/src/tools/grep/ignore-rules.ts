import { readFile } from "node:fs/promises";
import { dirname, join, relative, sep } from "node:path";
import type { Ignore } from "ignore";
import { statsOf } from "../file-errors.ts";

const MAX_BYTES = 1024 * 1024;

/** The `.gitignore` files that apply to a folder and what is below it. */
export class IgnoreRules {
  readonly #rules = new Map<string, Ignore>();

  /** The rules that hold in a folder because of those above it in its repository. */
  static async above(folder: string): Promise<IgnoreRules> {
    const rules = new IgnoreRules();
    const parents = await repositoryParents(folder);
    for (const parent of parents) await rules.load(parent);
    // Who asks for a folder that is ignored wants to see what is in it.
    if (rules.ignores(folder, true)) rules.#rules.clear();
    return rules;
  }

  /** Adds the rules of a folder. */
  async load(folder: string): Promise<void> {
    const path = join(folder, ".gitignore");
    const stats = await statsOf(path).catch(() => undefined);
    if (!stats?.isFile() || stats.size > MAX_BYTES) return;
    const text = await readFile(path, "utf8").catch(() => "");
    const { default: ignore } = await import("ignore");
    this.#rules.set(folder, ignore().add(text));
  }

  /** Whether a path is ignored: the nearest folder whose rules know it decides. */
  ignores(path: string, isFolder: boolean): boolean {
    if (this.#rules.size === 0) return false;
    for (let folder = dirname(path); ; folder = dirname(folder)) {
      const rules = this.#rules.get(folder);
      if (rules) {
        const inside = relative(folder, path).replaceAll(sep, "/");
        const { ignored, unignored } = rules.test(isFolder ? `${inside}/` : inside);
        if (ignored || unignored) return ignored;
      }
      if (folder === dirname(folder)) return false;
    }
  }
}

/** The folders above this one in its repository; none if it is in none, or its top. */
async function repositoryParents(folder: string): Promise<readonly string[]> {
  const parents: string[] = [];
  for (let at = folder; ; at = dirname(at)) {
    if (at !== folder) parents.push(at);
    if (await statsOf(join(at, ".git")).catch(() => undefined)) return parents;
    if (at === dirname(at)) return [];
  }
}
