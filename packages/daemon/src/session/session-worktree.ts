import type { Environment } from "@agentwire/local/worktree";
import { DaemonError } from "../errors.ts";
import type { Audit } from "../store/audit-log.ts";
import type { Driver } from "./driver.ts";
import { informed } from "./events/informed.ts";
import type { Journal } from "./journal.ts";
import type { Prompts } from "./prompts.ts";
import type { SessionState } from "./state.ts";
import {
  endWorktree,
  goneText,
  openWorktree,
  type StoredWorktree,
  type WorktreeEnding,
  worktreeOf,
} from "./worktree.ts";

/** The parts of a session that are affected when its worktree ends. */
export interface SessionWorktreeOptions {
  readonly audit: Audit;
  readonly journal: Journal;
  readonly state: SessionState;
  readonly prompts: Prompts;
  readonly driver: Driver;
}

/** The worktree of a session that has one: nothing runs in it while it is ended, nor afterwards. */
export class SessionWorktree {
  readonly #options: SessionWorktreeOptions;
  #isEnding = false;

  constructor(options: SessionWorktreeOptions) {
    this.#options = options;
  }

  /** Throws if it prevents new turns. */
  mustBeUsable(): void {
    const worktree = worktreeOf(this.#options.state.record);
    if (worktree && worktree.state !== "open") throw new DaemonError("WORKTREE_REFUSED", goneText(worktree));
    if (this.#isEnding)
      throw new DaemonError("WORKTREE_REFUSED", "the worktree of this session is being ended");
  }

  /** Ends the agent and then the worktree in the way asked for; returns its new state. */
  async end(ending: WorktreeEnding, env: Environment, by: string): Promise<StoredWorktree> {
    const { state, prompts, driver } = this.#options;
    const worktree = openWorktree(state.record);
    if (this.#isEnding || !state.isAtRest || !prompts.isEmpty)
      throw new DaemonError(
        "WORKTREE_REFUSED",
        "the session is running a turn: wait for it to end, or interrupt it",
      );
    this.#isEnding = true;
    try {
      await driver.renew();
      const ended = await endWorktree(worktree, ending, env);
      if (ended.state !== "open") await this.#told(ended, by);
      return ended;
    } finally {
      this.#isEnding = false;
    }
  }

  async #told(ended: StoredWorktree, by: string): Promise<void> {
    const { state, journal, audit } = this.#options;
    const { id: subject } = state.record;
    const note = audit({ kind: "worktree", actor: by, action: ended.state, subject, detail: ended.path });
    await journal.say(informed(goneText(ended)), [state.change({ worktree: JSON.stringify(ended) }), note]);
  }
}
