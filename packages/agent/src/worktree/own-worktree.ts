import { basename } from "node:path";
import type { JsonObject } from "@agentwire/protocol";
import type { ToolContext } from "../tools/tool.ts";
import { type Lost, type MadeWorktree, moveInto, type Worktrees } from "./worktrees.ts";

/** A worktree that the session is in. */
export interface Entered {
  readonly worktree: MadeWorktree;
  /** The session's folder before. */
  readonly before: string;
  moveBack(): void;
}

/** The worktree to enter: a new one, with an optional name, or an existing one. */
export interface WorktreeChoice {
  readonly name?: string | undefined;
  readonly path?: string | undefined;
}

type Place = Pick<ToolContext, "workspace" | "signal">;

/** The worktree of a session: at most one at a time. */
export class OwnWorktree {
  readonly #worktrees: Worktrees;
  readonly #note: (entered: JsonObject | null) => void;
  #entered: Entered | undefined;

  /** `note` records the session's worktree for a later process. */
  constructor(worktrees: Worktrees, note: (entered: JsonObject | null) => void) {
    this.#worktrees = worktrees;
    this.#note = note;
  }

  get entered(): Entered | undefined {
    return this.#entered;
  }

  /** Creates or finds a worktree and moves the session there; throws an error whose message is for the model. */
  async enter({ name, path }: WorktreeChoice, place: Place): Promise<MadeWorktree> {
    const folder = this.#entered?.before ?? place.workspace.cwd;
    const worktree =
      path === undefined
        ? await this.#worktrees.make(folder, name, place.signal)
        : await this.#worktrees.find(folder, path, place.signal);
    const before = this.#move(worktree, place);
    this.#note(noted(worktree, before));
    return worktree;
  }

  /** Enters the worktree that an earlier process of the session was in; throws if that fails. */
  async enterAgain(earlier: JsonObject, place: Place): Promise<void> {
    const { worktreePath, worktreeBranch, originalBranch, originalHeadCommit, hookBased } = earlier;
    if (typeof worktreePath !== "string") return;
    const found = await this.#worktrees.findAgain(
      place.workspace.cwd,
      worktreePath,
      hookBased === true,
      place.signal,
    );
    const isOwn =
      typeof worktreeBranch === "string" && typeof originalHeadCommit === "string" && !found.isByHook;
    const made = isOwn && {
      name: basename(worktreePath),
      path: found.place.path,
      branch: worktreeBranch,
      checkout: found.place.origin,
      base: typeof originalBranch === "string" ? originalBranch : "",
      baseCommit: originalHeadCommit,
    };
    this.#move({ ...found, ...(made && { made }) }, place);
  }

  /** What would be lost if the worktree were removed. */
  async openWork(): Promise<Lost> {
    return this.#entered ? this.#worktrees.openWork(this.#entered.worktree) : { files: 0, commits: 0 };
  }

  /**
   * Moves the session back to its earlier folder, after removing the worktree if asked to. Throws an error whose message is for
   * the model.
   */
  async leave(
    entered: Entered,
    removal: { readonly discard: boolean } | undefined,
    signal: AbortSignal,
  ): Promise<Lost> {
    // Remove it before moving: a hook gets the session's current folder.
    const lost = removal
      ? await this.#worktrees.remove(entered.worktree, removal.discard, signal)
      : { files: 0, commits: 0 };
    entered.moveBack();
    this.#entered = undefined;
    this.#note(null);
    return lost;
  }

  #move(worktree: MadeWorktree, { workspace }: Place): string {
    this.#entered?.moveBack();
    const before = workspace.cwd;
    this.#entered = { worktree, before, moveBack: moveInto(workspace, worktree.place) };
    return before;
  }
}

/** A worktree as the official agent records it in the transcript. */
function noted({ place, branch, made, isByHook }: MadeWorktree, originalCwd: string): JsonObject {
  return {
    originalCwd,
    worktreePath: place.path,
    worktreeName: basename(place.path),
    ...(branch !== undefined && { worktreeBranch: branch }),
    ...(made && { originalBranch: made.base, originalHeadCommit: made.baseCommit }),
    hookBased: isByHook,
  };
}
