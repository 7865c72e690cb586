import { SessionStatus } from "@agentwire/api";
import type { Draft } from "../store/draft.ts";
import type { SessionRecord } from "../store/session-record.ts";
import type { Write } from "../store/write.ts";
import type { Journal } from "./journal.ts";
import type { PromptNews } from "./prompts.ts";

const IN_TURN: ReadonlySet<SessionStatus> = new Set([SessionStatus.RUNNING, SessionStatus.ASKING]);

/** The dependencies of a session's state. */
export interface StateOptions {
  /** Whether a question is open. */
  readonly isAsking: () => boolean;
  /** The session has failed, and why. */
  readonly onFailed: (reason: string) => void;
  /** A turn is over, and no other one follows. */
  readonly onTurnEnd: () => void;
}

/** The current state of a session: its record, the same in memory and in the store. */
export class SessionState {
  readonly #journal: Journal;
  readonly #options: StateOptions;
  #record: SessionRecord;
  /** Its status apart from open questions. */
  #beneath: { readonly status: SessionStatus; readonly reason: string };
  #whenAtRest: (() => void)[] = [];

  constructor(journal: Journal, record: SessionRecord, options: StateOptions) {
    this.#journal = journal;
    this.#options = options;
    this.#record = record;
    this.#beneath = { status: record.status, reason: "" };
  }

  get record(): SessionRecord {
    return this.#record;
  }

  /** Changes the record; the returned write is stored with the events about the change. */
  change(changes: Partial<SessionRecord>): Write {
    this.#record = { ...this.#record, ...changes };
    return { type: "changeSession", id: this.#record.id, changes };
  }

  /** Changes the status; while a question is open, clients see that instead. */
  status(status: SessionStatus, reason = ""): void {
    this.#beneath = { status, reason };
    if (!this.#isAsking) this.#show(status, reason);
  }

  /** A question about a tool is open. */
  asks(toolName: string): void {
    this.#show(SessionStatus.ASKING, toolName);
  }

  /** A question has been settled: after the last one, the session has its other status again. */
  answered(): void {
    if (this.#record.status === SessionStatus.ASKING) this.status(this.#beneath.status, this.#beneath.reason);
  }

  get #isAsking(): boolean {
    return this.#record.status === SessionStatus.ASKING && this.#options.isAsking();
  }

  #show(status: SessionStatus, reason: string): void {
    const previous = this.#record.status;
    if (previous === status) return;
    if (status === SessionStatus.FAILED) this.#options.onFailed(reason);
    const value = { status, previous, reason };
    this.tell(
      [{ body: { case: "statusChange", value } }],
      [this.change({ status, ...(status === SessionStatus.RUNNING && { turnFailure: "" }) })],
    );
    if (status === SessionStatus.IDLE && IN_TURN.has(previous)) this.#options.onTurnEnd();
    if (!this.isWorking) for (const wake of this.#whenAtRest.splice(0)) wake();
  }

  /** Stores and sends without waiting; the journal handles a write that fails for good. */
  tell(drafts: readonly Draft[], writes: readonly Write[] = []): void {
    if (drafts.length > 0 || writes.length > 0) this.#journal.say(drafts, writes).catch(() => {});
  }

  /** The same for the consequences of a change of prompts. */
  tellAll({ drafts, writes }: PromptNews): void {
    this.tell(drafts, writes);
  }

  /** Whether an agent is doing something that should not be interrupted; one that asks may wait for days. */
  get isWorking(): boolean {
    const { status } = this.#record;
    return status === SessionStatus.RUNNING || status === SessionStatus.STARTING;
  }

  /** Resolves when no agent is doing anything that should not be interrupted. */
  async finished(): Promise<void> {
    if (!this.isWorking) return;
    await new Promise<void>((resolve) => {
      this.#whenAtRest.push(resolve);
    });
  }

  get isAtRest(): boolean {
    return isAtRest(this.#record);
  }
}

/** Whether a session is not working. */
export const isAtRest = ({ status }: SessionRecord): boolean =>
  status === SessionStatus.IDLE || status === SessionStatus.FAILED;
