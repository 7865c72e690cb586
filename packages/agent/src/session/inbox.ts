import { isCommand, type Prompt } from "../prompt.ts";
import { NO_QUEUE, type PromptQueue } from "../store/store.ts";
import { TurnLock } from "./turn-lock.ts";

/** Reports what happens to a prompt. */
export type Lifecycle = (
  uuid: string,
  state: "queued" | "started" | "completed" | "cancelled" | "discarded",
) => void;

/** What an inbox shares with the rest of its process and with the previous one. */
export interface InboxOptions {
  /** The prompts of an earlier process of the same session. */
  readonly seen?: Iterable<string>;
  /** Those it stored but did not answer: they are accepted again if they arrive before any other turn starts. */
  readonly unanswered?: Iterable<string>;
  readonly queue?: PromptQueue;
  readonly turnLock?: TurnLock;
  /** Whether the host is gone, so that no turn should start. */
  readonly isHostGone?: () => boolean;
}

/** The waiting prompts. One turn at a time takes prompts from it; no prompt is answered twice. */
export class Inbox {
  readonly #waiting: Prompt[];
  readonly #seen: Set<string>;
  readonly #unanswered: ReadonlySet<string>;
  /** Prompts left by an earlier process that were not reported in this one. */
  readonly #inherited: Set<string>;
  readonly #tell: Lifecycle;
  readonly #queue: PromptQueue;
  readonly #turnLock: TurnLock;
  readonly #isHostGone: () => boolean;
  #taker: ((prompts: readonly Prompt[]) => void) | undefined;
  #closed = false;
  #isAbandoned = false;
  #isServing = false;
  /** Called when a prompt arrives that should not wait for the running turn. */
  onUrgent: () => void = () => {};

  constructor(tell: Lifecycle, options: InboxOptions = {}) {
    const { seen = [], unanswered = [], queue = NO_QUEUE } = options;
    const { turnLock = new TurnLock(), isHostGone = () => false } = options;
    this.#tell = tell;
    this.#unanswered = new Set(unanswered);
    this.#isHostGone = isHostGone;
    this.#queue = queue;
    this.#turnLock = turnLock;
    this.#waiting = [...queue.waiting()];
    this.#inherited = new Set(this.#waiting.map(({ uuid }) => uuid));
    this.#seen = new Set([...seen, ...this.#inherited]);
  }

  /** Adds a prompt; returns false for one that was added before. Throws if the prompt can't be stored; then it was not added. */
  add(prompt: Prompt): boolean {
    if (prompt.named && (this.#seen.has(prompt.uuid) || this.#queue.knows(prompt.uuid))) {
      this.#tellInherited(prompt.uuid);
      return false;
    }
    // Store it before reporting it: a prompt that the host believes to be queued must not be lost.
    this.#queue.keep(prompt);
    this.#seen.add(prompt.uuid);
    if (prompt.named) this.#tell(prompt.uuid, "queued");
    if (this.#isAbandoned) {
      this.#discard([prompt]);
      return true;
    }
    // No turn runs: the prompt starts one at once, and later prompts wait for the next.
    const isNext = this.#taker !== undefined && this.#waiting.length === 0;
    if (prompt.priority === "now") this.#waiting.unshift(prompt);
    else this.#waiting.push(prompt);
    if (isNext) this.#begin();
    else if (prompt.priority === "now") this.onUrgent();
    return true;
  }

  /** The prompts of the next turn: those that waited together are answered together. Undefined if no more will come. */
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
    if (this.#isHostGone()) this.abandon();
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

  /** Removes prompts from the stored queue after their turn, including those that are in no transcript. */
  done(prompts: readonly Prompt[]): void {
    for (const { uuid } of prompts) this.#queue.forget(uuid);
  }

  /** Withdraws all waiting prompts; returns the ids of those that the host has named. */
  cancelAll(): readonly string[] {
    const named = this.queued();
    const waiting = this.#waiting.splice(0);
    this.#turnLock.leave(this);
    for (const { uuid } of waiting) this.#queue.forget(uuid);
    for (const uuid of named) this.#tell(uuid, "cancelled");
    return named;
  }

  /** The waiting prompts that the host has named, in order. */
  queued(): readonly string[] {
    return this.#waiting.filter((prompt) => prompt.named).map((prompt) => prompt.uuid);
  }

  /** Whether prompts have been handed out and the next ones have not been requested yet. */
  get isServing(): boolean {
    return this.#isServing;
  }

  get waiting(): readonly Prompt[] {
    return this.#waiting;
  }

  get length(): number {
    return this.#waiting.length;
  }

  /** The number of waiting prompts that came from the host. */
  get sent(): number {
    return this.#waiting.filter((prompt) => !prompt.synthetic).length;
  }

  /** Closes the inbox to new prompts; waiting ones are still answered. */
  close(): void {
    this.#closed = true;
    if (this.#waiting.length === 0) this.#hand([]);
  }

  /** Allows no more turns; waiting prompts are left to a later process if they are stored. */
  abandon(): void {
    this.#isAbandoned = true;
    this.#discard(this.#waiting.splice(0));
    this.#turnLock.leave(this);
    this.close();
  }

  /** Hands out the next prompts as soon as a turn may run. */
  #begin(): void {
    if (!this.#taker || this.#waiting.length === 0) return;
    if (this.#isHostGone()) this.abandon();
    else if (this.#turnLock.take(this, () => this.#begin())) this.#hand(this.#takeTogether());
  }

  /** If a host resends a prompt that an earlier process left in the queue, reports it as queued. */
  #tellInherited(uuid: string): void {
    const waits = this.#waiting.some((prompt) => prompt.uuid === uuid);
    if (this.#inherited.delete(uuid) && waits) this.#tell(uuid, "queued");
  }

  /** Reports prompts as discarded if they are not stored anywhere. */
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
