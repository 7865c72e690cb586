import { stat } from "node:fs/promises";
import { isAbsolute, resolve } from "node:path";
import type { Worktree } from "@agentwire/local/worktree";
import { isJsonObject } from "@agentwire/protocol";
import { realPath } from "../files/real-path.ts";
import type { Hooks } from "../hooks/hooks.ts";
import type { Settings } from "../settings/settings.ts";
import type { Workspace, WorktreePlace } from "../tools/workspace.ts";

/** Loaded on demand: most sessions use no worktree. */
const git = () => import("@agentwire/local/worktree");

/** What worktrees need from the session. */
export interface WorktreesOptions {
  readonly settings: Settings;
  readonly hooks: Hooks;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** A worktree in use. */
export interface MadeWorktree {
  readonly place: WorktreePlace;
  /** Undefined if a hook has made it. */
  readonly branch?: string;
  /** Git's data about it; undefined if a hook has made it, or if it existed before. */
  readonly made?: Worktree;
  readonly isByHook: boolean;
}

/** How much work would be lost if a worktree were removed. */
export interface Lost {
  readonly files: number;
  readonly commits: number;
}

const NOT_IN_REPOSITORY =
  "A worktree can't be created: this is not a git repository, and no WorktreeCreate hook is configured.";

/** Creates and removes worktrees, with git or with hooks for other version control systems. */
export class Worktrees {
  readonly #options: WorktreesOptions;

  constructor(options: WorktreesOptions) {
    this.#options = options;
  }

  /** Creates a worktree for work in a folder; throws an error whose message is for the model. */
  async make(folder: string, name: string | undefined, signal: AbortSignal): Promise<MadeWorktree> {
    const { hooks, env } = this.#options;
    const { createWorktree, randomName, WorktreeError } = await git();
    if (hooks.listens("WorktreeCreate")) return this.#makeByHook(folder, name ?? randomName(), signal);
    try {
      const made = await createWorktree({ folder, name, ...this.#wishes(), env, signal });
      return {
        place: { path: made.path, origin: made.checkout },
        branch: made.branch,
        made,
        isByHook: false,
      };
    } catch (error) {
      if (error instanceof WorktreeError && error.code === "not_a_repository")
        throw new Error(NOT_IN_REPOSITORY, { cause: error });
      throw error;
    }
  }

  /** Finds an existing worktree; throws an error whose message is for the model. */
  async find(folder: string, path: string, signal: AbortSignal): Promise<MadeWorktree> {
    const { repositoryOf, checkoutsOf } = await git();
    const { git: there, checkout, main } = await repositoryOf(folder, this.#options.env, signal);
    const wanted = await realPath(resolve(folder, path));
    const [, ...others] = await checkoutsOf(there);
    const found = others.find((one) => one.path === wanted);
    if (!found)
      throw new Error(
        `${path} is not a worktree of ${main}: git -C ${main} worktree list shows which there are.`,
      );
    return {
      place: { path: found.path, origin: checkout },
      ...(found.branch !== undefined && { branch: found.branch }),
      isByHook: false,
    };
  }

  /** Finds a worktree that an earlier process of the session was in. */
  async findAgain(
    folder: string,
    path: string,
    isByHook: boolean,
    signal: AbortSignal,
  ): Promise<MadeWorktree> {
    if (!isByHook) return this.find(folder, path, signal);
    const found = await stat(path).catch(() => undefined);
    if (!found?.isDirectory()) throw new Error(`${path} no longer exists.`);
    return { place: { path: await realPath(path), origin: folder }, isByHook };
  }

  /** What would be lost if a worktree were removed. */
  async openWork({ made }: MadeWorktree): Promise<Lost> {
    if (!made) return { files: 0, commits: 0 };
    const { uncommitted, unmerged } = await (await git()).openWork(made, this.#options.env);
    return { files: uncommitted.length, commits: unmerged };
  }

  /** Removes a worktree; discards work in it only if `discard` is set. Throws an error whose message is for the model. */
  async remove(
    { place, made, isByHook }: MadeWorktree,
    discard: boolean,
    signal: AbortSignal,
  ): Promise<Lost> {
    const { hooks, env } = this.#options;
    if (isByHook) {
      if (!hooks.listens("WorktreeRemove"))
        throw new Error(
          `No WorktreeRemove hook is configured, so ${place.path} stays. Leave it with action "keep".`,
        );
      const said = await hooks.run("WorktreeRemove", { worktree_path: place.path }, { signal });
      if (said.hasFailed || said.block) throw new Error(`The WorktreeRemove hook failed for ${place.path}.`);
      return { files: 0, commits: 0 };
    }
    if (!made) throw new Error(`${place.path} existed before this session: leave it with action "keep".`);
    const { uncommitted, unmerged } = await (await git()).removeWorktree(made, discard, env);
    return { files: uncommitted.length, commits: unmerged };
  }

  async #makeByHook(folder: string, name: string, signal: AbortSignal): Promise<MadeWorktree> {
    const said = await this.#options.hooks.run("WorktreeCreate", { name }, { signal });
    const { worktreePath: named } = said.specific;
    if (said.block) throw new Error(`The WorktreeCreate hook failed: ${said.block.reason}`);
    if (said.hasFailed) throw new Error("The WorktreeCreate hook failed.");
    if (typeof named !== "string" || !isAbsolute(named))
      throw new Error(
        "The WorktreeCreate hook named no folder: a command prints its absolute path, others return hookSpecificOutput.worktreePath.",
      );
    const path = await realPath(named);
    const found = await stat(path).catch(() => undefined);
    if (!found?.isDirectory())
      throw new Error(`The WorktreeCreate hook named ${named}, which is not a folder.`);
    return { place: { path, origin: folder }, isByHook: true };
  }

  #wishes() {
    const { worktree } = this.#options.settings.effective;
    const { baseRef, symlinkDirectories, sparsePaths } = isJsonObject(worktree) ? worktree : {};
    return {
      baseRef: baseRef === "head" ? ("head" as const) : ("fresh" as const),
      links: textsOf(symlinkDirectories),
      sparse: textsOf(sparsePaths),
    };
  }
}

/** Moves a workspace into a worktree; returns a function that moves it back. */
export function moveInto(workspace: Workspace, place: WorktreePlace): () => void {
  const { cwd, roots, worktree } = workspace;
  workspace.worktree = place;
  workspace.cwd = place.path;
  workspace.roots = [place.path, ...roots.slice(1)];
  return () => {
    workspace.worktree = worktree;
    workspace.cwd = cwd;
    workspace.roots = roots;
  };
}

const textsOf = (value: unknown): readonly string[] =>
  Array.isArray(value) ? value.filter((one) => typeof one === "string") : [];
