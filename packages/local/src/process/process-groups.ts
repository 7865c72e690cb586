import type { Writable } from "node:stream";
import { endGroup } from "./end-group.ts";
import { borrowGuard, type Guard, returnGuard } from "./guard.ts";
import { groupExists, signalGroup } from "./signal-group.ts";

/** Process groups that this program started and that may still have members. They end with the program, however it ends. */
export class ProcessGroups {
  readonly #groups = new Set<number>();
  #guard: Guard | undefined;

  get size(): number {
    return this.#groups.size;
  }

  /**
   * Ensures that the next process started ends with us, even if we are killed: it must inherit the returned stream, and the new group's
   * leader must write to it before it does anything else. Throws if no guard can be started.
   */
  prepare(): Writable {
    return this.#running().line;
  }

  /** Takes responsibility for a group. Without `prepare`, the group is unwatched for a moment. */
  add(group: number): void {
    this.#groups.add(group);
    try {
      this.#running().watch(group);
    } catch {
      // The group already runs without a guard; we still end it unless we are killed.
    }
  }

  /** Forgets a group that is gone before its number is reused; false if it was not one of ours. */
  forget(group: number): boolean {
    if (!this.#groups.delete(group)) return false;
    this.#guard?.forget(group);
    return true;
  }

  /** Forgets the groups that have no members left. */
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

  /** Releases the guard, which ends the groups it still watches. */
  release(): void {
    this.#guard = undefined;
    if (returnGuard(this)) return;
    // Others still need the guard, so we end our groups ourselves.
    for (const group of this.#groups) void endGroup(group).then(() => this.forget(group));
  }

  #running(): Guard {
    if (this.#guard?.isRunning) return this.#guard;
    this.#guard = borrowGuard(this);
    for (const group of this.#groups) this.#guard.watch(group);
    return this.#guard;
  }
}
