import type { Writable } from "node:stream";
import { type Guard, startGuard } from "./guard.ts";
import { isGroupAlive, killGroup } from "./kill-group.ts";

/** The process groups that a session has started and that may still have members. */
export class ProcessGroups {
  readonly #groups = new Set<number>();
  #guard: Guard | undefined;

  /**
   * Makes sure that what is started next ends with the agent, even if that is killed: what is returned is to be inherited, and
   * written to by the new group's leader before it does anything else.
   */
  prepare(): Writable {
    if (this.#guard?.isRunning) return this.#guard.line;
    this.#guard = startGuard();
    for (const group of this.#groups) this.#guard.watch(group);
    return this.#guard.line;
  }

  /** Takes responsibility for a group; call `prepare` before it is started. */
  add(group: number): void {
    this.#groups.add(group);
    this.#guard?.watch(group);
  }

  /** Forgets groups that have no members any more, before their ids come to mean somebody else. */
  sweep(): void {
    for (const group of this.#groups) if (!isGroupAlive(group)) this.#forget(group);
  }

  /** Ends all groups. */
  async killAll(): Promise<void> {
    this.sweep();
    const groups = [...this.#groups];
    await Promise.all(groups.map((group) => killGroup(group)));
    for (const group of groups) this.#forget(group);
    this.#guard?.close();
    this.#guard = undefined;
  }

  #forget(group: number): void {
    this.#groups.delete(group);
    this.#guard?.forget(group);
  }
}
