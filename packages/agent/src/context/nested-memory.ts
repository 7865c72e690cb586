import { realpath } from "node:fs/promises";
import { dirname, relative, resolve, sep } from "node:path";
import type { Config } from "../config/config.ts";
import { isInside } from "../files/real-path.ts";
import type { ProjectContext } from "./context.ts";
import { memoryFilesIn } from "./memory.ts";
import type { ProjectFiles } from "./project-files.ts";

/** The CLAUDE.md files below the folder of the session, read when the model first accesses their folders. */
export class NestedMemory {
  readonly #config: Config;
  readonly #files: ProjectFiles;
  #visited = new Set<string>();
  #seen = new Set<string>();

  constructor(config: Config, files: ProjectFiles) {
    this.#config = config;
    this.#files = files;
  }

  /** The files that apply to a path and have not been read yet. */
  async leadingTo(path: string): Promise<ProjectContext["memoryFiles"]> {
    const { home, contextSources: sources } = this.#config;
    const wanted = { home, project: sources.has("project"), local: sources.has("local") };
    if (!wanted.project && !wanted.local) return [];
    const found = [];
    for (const folder of await this.#unvisited(path))
      found.push(...(await memoryFilesIn(folder, wanted, this.#seen)));
    return found;
  }

  /** Starts over: a new conversation has read nothing. */
  forget(): void {
    this.#visited = new Set();
    this.#seen = new Set();
  }

  /** The real paths of the unvisited folders between that of the session and the file. */
  async #unvisited(path: string): Promise<readonly string[]> {
    const root = await realpath(this.#config.cwd).catch(() => undefined);
    const folder = await realpath(dirname(resolve(this.#config.cwd, path))).catch(() => undefined);
    if (root === undefined || folder === undefined || !isInside(folder, root)) return [];
    if (this.#visited.size === 0) await this.#know(root);
    const folders = relative(root, folder)
      .split(sep)
      .map((_, index, names) => resolve(root, ...names.slice(0, index + 1)));
    const unvisited = folders.filter((one) => !this.#visited.has(one));
    for (const one of unvisited) this.#visited.add(one);
    return unvisited;
  }

  /** Marks what the session started with as read. */
  async #know(root: string): Promise<void> {
    this.#visited.add(root);
    for (const { path } of (await this.#files.load()).memoryFiles) {
      const real = await realpath(path).catch(() => undefined);
      if (real !== undefined) this.#seen.add(real);
    }
  }
}
