import { SessionStatus } from "@agentwire/api";
import type { Write } from "../store/write.ts";
import type { Draft } from "./events/draft.ts";
import type { Journal } from "./journal.ts";
import type { PromptNews } from "./prompts.ts";
import { type SessionRecord, updateSession } from "./record.ts";

/** What a session is now: its record, kept alike in memory and in the store. */
export class SessionState {
  readonly #journal: Journal;
  #record: SessionRecord;
  #whenAtRest: (() => void)[] = [];

  constructor(journal: Journal, record: SessionRecord) {
    this.#journal = journal;
    this.#record = record;
  }

  get record(): SessionRecord {
    return this.#record;
  }

  /** Changes the record; the write goes with whatever tells of the change. */
  change(changes: Partial<SessionRecord>): Write {
    this.#record = { ...this.#record, ...changes };
    return updateSession(this.#record.id, changes);
  }

  /** Tells everyone that the session does something else now. */
  status(status: SessionStatus, reason = ""): void {
    const previous = this.#record.status;
    if (previous === status) return;
    const value = { status, previous, reason };
    this.tell([{ body: { case: "statusChange", value } }], [this.change({ status })]);
    if (!this.isWorking) for (const wake of this.#whenAtRest.splice(0)) wake();
  }

  /** Stores and sends what nobody waits for; a store that fails for good is the journal's business. */
  tell(drafts: readonly Draft[], writes: readonly Write[] = []): void {
    if (drafts.length > 0 || writes.length > 0) this.#journal.say(drafts, writes).catch(() => {});
  }

  /** The same for what follows from a change of prompts. */
  tellAll({ drafts, writes }: PromptNews): void {
    this.tell(drafts, writes);
  }

  /** Whether an agent does something that should not be broken off; one that asks may wait for days. */
  get isWorking(): boolean {
    const { status } = this.#record;
    return status === SessionStatus.RUNNING || status === SessionStatus.STARTING;
  }

  /** Resolves when no agent does anything that should not be broken off. */
  async finished(): Promise<void> {
    if (!this.isWorking) return;
    await new Promise<void>((resolve) => {
      this.#whenAtRest.push(resolve);
    });
  }

  get isAtRest(): boolean {
    return this.#record.status === SessionStatus.IDLE || this.#record.status === SessionStatus.FAILED;
  }
}
