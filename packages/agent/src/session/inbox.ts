import { isCommand, type Prompt } from "../prompt.ts";
import { NO_QUEUE, type PromptQueue } from "../store/store.ts";
import { TurnLock } from "./turn-lock.ts";

/** What the inbox tells of a prompt. */
export type Lifecycle = (
  uuid: string,
  state: "queued" | "started" | "completed" | "cancelled" | "discarded",
) => void;

/** What an inbox shares with the rest of its process and with the one before. */
export interface InboxOptions {
  /** The prompts of an earlier process of the same session. */
  readonly seen?: Iterable<string>;
  /** Those of them that it has stored without an answer: they are taken once more, if they come before any other turn begins. */
  readonly unanswered?: Iterable<string>;
  readonly queue?: PromptQueue;
  readonly turnLock?: TurnLock;
  /** Whether the host is gone, so that no turn should begin. */
  readonly isForsaken?: () => boolean;
}

/** The prompts that wait. One turn takes from it at a time; nothing is answered twice. */
export class Inbox {
  readonly #waiting: Prompt[];
  readonly #seen: Set<string>;
  readonly #unanswered: ReadonlySet<string>;
  /** Prompts left by an earlier process that were not reported in this one. */
  readonly #inherited: Set<string>;
  readonly #tell: Lifecycle;
  readonly #queue: PromptQueue;
  readonly #turnLock: TurnLock;
  readonly #isForsaken: () => boolean;
  #taker: ((prompts: readonly Prompt[]) => void) | undefined;
  #closed = false;
  #isAbandoned = false;
  #isServing = false;
  /** Called when a prompt comes that does not want to wait for the running turn. */
  onUrgent: () => void = () => {};

  constructor(tell: Lifecycle, options: InboxOptions = {}) {
    const { seen = [], unanswered = [], queue = NO_QUEUE } = options;
    const { turnLock = new TurnLock(), isForsaken = () => false } = options;
    this.#tell = tell;
    this.#unanswered = new Set(unanswered);
    this.#isForsaken = isForsaken;
    this.#queue = queue;
    this.#turnLock = turnLock;
    this.#waiting = [...queue.waiting()];
    this.#inherited = new Set(this.#waiting.map(({ uuid }) => uuid));
    this.#seen = new Set([...seen, ...this.#inherited]);
  }

  /** Takes a prompt in; false if it is one that was taken before. Throws if it can't be kept: then it was not taken. */
  add(prompt: Prompt): boolean {
    if (prompt.named && (this.#seen.has(prompt.uuid) || this.#queue.knows(prompt.uuid))) {
      this.#tellInherited(prompt.uuid);
      return false;
    }
    // Kept before anything is said of it: what the host has heard of is not lost.
    this.#queue.keep(prompt);
    this.#seen.add(prompt.uuid);
    if (prompt.named) this.#tell(prompt.uuid, "queued");
    if (this.#isAbandoned) {
      this.#discard([prompt]);
      return true;
    }
    // Nothing runs: the prompt starts its own turn at once, and those behind it wait for the next.
    const isNext = this.#taker !== undefined && this.#waiting.length === 0;
    if (prompt.priority === "now") this.#waiting.unshift(prompt);
    else this.#waiting.push(prompt);
    if (isNext) this.#begin();
    else if (prompt.priority === "now") this.onUrgent();
    return true;
  }

  /** The prompts of the next turn: what waited together is answered together. Undefined when no more will come. */
  async next(): Promise<readonly Prompt[] | undefined> {
    this.#isServing = false;
    this.#turnLock.free(this);
    if (this.#waiting.length === 0 && this.#closed) return undefined;
    return new Promise((resolve) => {
      this.#taker = (prompts) => resolve(prompts.length > 0 ? this.#started(prompts) : undefined);
      if (this.#waiting.length > 0) this.#begin();
    });
  }

  /** The prompts that may join the running turn between two steps. */
  takeJoining(): readonly Prompt[] {
    if (this.#isForsaken()) this.abandon();
    const joining = this.#waiting.filter(
      (prompt) => prompt.priority !== "later" && prompt.query && !isCommand(prompt),
    );
    for (const prompt of joining) this.#waiting.splice(this.#waiting.indexOf(prompt), 1);
    return this.#started(joining);
  }

  /** Withdraws a prompt that still waits. */
  cancel(uuid: string): boolean {
    const at = this.#waiting.findIndex((prompt) => prompt.uuid === uuid);
    if (at < 0) return false;
    this.#waiting.splice(at, 1);
    if (this.#waiting.length === 0) this.#turnLock.leave(this);
    this.#queue.forget(uuid);
    this.#tell(uuid, "cancelled");
    return true;
  }

  /** Lets go of prompts that have had their turn, including those that entered no transcript. */
  done(prompts: readonly Prompt[]): void {
    for (const { uuid } of prompts) this.#queue.forget(uuid);
  }

  /** Withdraws everything that still waits; returns the names, where the host gave any. */
  cancelAll(): readonly string[] {
    const named = this.queued();
    const waiting = this.#waiting.splice(0);
    this.#turnLock.leave(this);
    for (const { uuid } of waiting) this.#queue.forget(uuid);
    for (const uuid of named) this.#tell(uuid, "cancelled");
    return named;
  }

  /** The named prompts that still wait, in order. */
  queued(): readonly string[] {
    return this.#waiting.filter((prompt) => prompt.named).map((prompt) => prompt.uuid);
  }

  /** Whether prompts have been handed out and no more have been asked for since. */
  get isServing(): boolean {
    return this.#isServing;
  }

  get waiting(): readonly Prompt[] {
    return this.#waiting;
  }

  get length(): number {
    return this.#waiting.length;
  }

  /** How many sent prompts wait. */
  get sent(): number {
    return this.#waiting.filter((prompt) => !prompt.synthetic).length;
  }

  /** Says that no more prompts come; those that wait are still answered. */
  close(): void {
    this.#closed = true;
    if (this.#waiting.length === 0) this.#hand([]);
  }

  /** Says that no more turns are to come; what waits is left to a later process, if it is kept. */
  abandon(): void {
    this.#isAbandoned = true;
    this.#discard(this.#waiting.splice(0));
    this.#turnLock.leave(this);
    this.close();
  }

  /** Hands out the next prompts if a turn may run, else as soon as one may. */
  #begin(): void {
    if (!this.#taker || this.#waiting.length === 0) return;
    if (this.#isForsaken()) this.abandon();
    else if (this.#turnLock.take(this, () => this.#begin())) this.#hand(this.#takeTogether());
  }

  /** A host that sends a prompt again which an earlier process has left in the queue is told that it is still to be answered. */
  #tellInherited(uuid: string): void {
    const waits = this.#waiting.some((prompt) => prompt.uuid === uuid);
    if (this.#inherited.delete(uuid) && waits) this.#tell(uuid, "queued");
  }

  /** Says of prompts that are kept nowhere that nothing will come of them. */
  #discard(prompts: readonly Prompt[]): void {
    if (this.#queue !== NO_QUEUE) return;
    for (const { uuid, named } of prompts) if (named) this.#tell(uuid, "discarded");
  }

  #hand(prompts: readonly Prompt[]): void {
    const taker = this.#taker;
    this.#taker = undefined;
    taker?.(prompts);
  }

  #started(prompts: readonly Prompt[]): readonly Prompt[] {
    if (prompts.length > 0) this.#isServing = true;
    // The model reads them in this turn, as part of the conversation.
    for (const uuid of this.#unanswered) this.#seen.add(uuid);
    for (const prompt of prompts) if (prompt.named) this.#tell(prompt.uuid, "started");
    return prompts;
  }

  #takeTogether(): readonly Prompt[] {
    const [first] = this.#waiting;
    if (!first || isCommand(first) || first.priority === "now" || !first.query)
      return this.#waiting.splice(0, 1);
    const end = this.#waiting.findIndex((prompt) => isCommand(prompt) || !prompt.query);
    return this.#waiting.splice(0, end < 0 ? this.#waiting.length : end);
  }
}
