import type { Writable } from "node:stream";
import { endGroup } from "./end-group.ts";
import { borrowGuard, type Guard, returnGuard } from "./guard.ts";
import { groupExists, signalGroup } from "./signal-group.ts";

/** Process groups that this program has started and that may still have members: they end with it, however it ends. */
export class ProcessGroups {
  readonly #groups = new Set<number>();
  #guard: Guard | undefined;

  get size(): number {
    return this.#groups.size;
  }

  /**
   * Makes sure that what is started next ends with us, even if we are killed: what is returned is to be inherited, and written
   * to by the new group's leader before it does anything else. Throws where no guard can be started.
   */
  prepare(): Writable {
    return this.#running().line;
  }

  /** Takes responsibility for a group. Without `prepare` there is a moment in which it is not watched. */
  add(group: number): void {
    this.#groups.add(group);
    try {
      this.#running().watch(group);
    } catch {
      // It runs already, and is ended by us unless we are killed.
    }
  }

  /** Forgets a group that is gone, before its number is reused; false if it was not one of ours. */
  forget(group: number): boolean {
    if (!this.#groups.delete(group)) return false;
    this.#guard?.forget(group);
    return true;
  }

  /** Forgets the groups that have no members any more. */
  sweep(): void {
    for (const group of this.#groups) if (!groupExists(group)) this.forget(group);
  }

  /** Sends a signal to all groups. */
  signal(signal: NodeJS.Signals): void {
    for (const group of this.#groups) signalGroup(group, signal);
  }

  /** Ends all groups, and the guard. */
  async endAll(): Promise<void> {
    this.sweep();
    const groups = [...this.#groups];
    await Promise.all(groups.map((group) => endGroup(group)));
    for (const group of groups) this.forget(group);
    this.release();
  }

  /** Lets the guard go, which ends what is still watched. */
  release(): void {
    this.#guard = undefined;
    if (returnGuard(this)) return;
    // Others still need the guard.
    for (const group of this.#groups) void endGroup(group).then(() => this.forget(group));
  }

  #running(): Guard {
    if (this.#guard?.isRunning) return this.#guard;
    this.#guard = borrowGuard(this);
    for (const group of this.#groups) this.#guard.watch(group);
    return this.#guard;
  }
}
