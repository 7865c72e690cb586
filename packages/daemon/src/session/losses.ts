/** How long the first time a session is left alone that could not go on. */
const FIRST_MS = 1000;
const LONGEST_MS = 60_000;
/** So often in a row a session is reopened that fails each time. */
const MAX_LOSSES = 5;
/** One that went on for so long since is taken for another failure. */
const FORGET_MS = 10 * 60_000;

interface Loss {
  readonly count: number;
  readonly atMs: number;
}

/** How often each session could not go on, and when it is reopened next. */
export class Losses {
  readonly #losses = new Map<string, Loss>();

  /** How long to leave a session alone; undefined when it has failed so often that somebody must look after it. */
  next(id: string, nowMs: number, isStoreIll: boolean): number | undefined {
    for (const [known, { atMs }] of this.#losses) if (nowMs - atMs > FORGET_MS) this.#losses.delete(known);
    const before = this.#losses.get(id)?.count ?? 0;
    // While the store takes nothing from anybody, it is no fault of the session.
    const count = isStoreIll ? Math.min(before + 1, MAX_LOSSES - 1) : before + 1;
    this.#losses.set(id, { count, atMs: nowMs });
    return count >= MAX_LOSSES ? undefined : Math.min(FIRST_MS * 2 ** (count - 1), LONGEST_MS);
  }
}
