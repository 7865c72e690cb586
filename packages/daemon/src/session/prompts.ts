import { PromptState } from "@agentwire/api";
import type { Draft } from "../store/draft.ts";
import type { Write } from "../store/write.ts";
import type { TraceContext } from "../tracing/trace-context.ts";
import type { QueueSize } from "./queue-limits.ts";

/** An unanswered prompt; its content stays in the store until an agent is given it. */
export interface Prompt {
  readonly id: string;
  /** Its size in the store. */
  readonly bytes: number;
  /** The trace that it belongs to; not stored. */
  readonly trace?: TraceContext | undefined;
}

/** An accepted prompt, possibly accepted earlier under the same key. */
export interface Accepted {
  readonly promptId: string;
  /** The number of its event. */
  readonly seq: number;
  readonly isNew: boolean;
}

interface Tracked extends Prompt {
  state: PromptState;
  /** Whether the current process has been given it. */
  isSent: boolean;
  /** Whether that process has acknowledged it and will report its state. */
  isTakenIn: boolean;
  /** Whether that process has returned it: it would take it for a duplicate. */
  isReturned: boolean;
}

/** The consequences of a change: events for clients, writes for the next process. */
export interface PromptNews {
  readonly drafts: readonly Draft[];
  readonly writes: readonly Write[];
}

const NOTHING: PromptNews = { drafts: [], writes: [] };

/** Why prompts were cancelled, in words. */
const CANCELLED = {
  withdrawn: "it was withdrawn",
  interrupted: "it was interrupted before it began",
  dropped: "the agent dropped it",
  unreadable: "the store could no longer read it",
  died: "the agent died while running this; it may have been partly executed",
  untold:
    "the agent died after it was given this and did not report its progress; it may have been partly executed, or not at all",
  before: "an earlier process of the agent had started it and was cut off; it may have been partly executed",
} as const;
/** How many bytes of prompts a process is given in advance. */
const AHEAD_BYTES = 4 * 1024 * 1024;

/** The prompts of one session on their way to an answer, in the order of their turns. */
export class Prompts {
  readonly #open = new Map<string, Tracked>();
  /** Whether the agent reports when the turn of each prompt starts. */
  #isTold = false;
  #queued = 0;
  #queuedBytes = 0;

  constructor(waiting: readonly Prompt[]) {
    for (const prompt of waiting) this.add(prompt);
  }

  /** The prompts whose turn has not started. */
  get queue(): readonly Prompt[] {
    return this.#of(PromptState.QUEUED);
  }

  /** Their number and total size. */
  get queueSize(): QueueSize {
    return { prompts: this.#queued, bytes: this.#queuedBytes };
  }

  /** Whether all are answered. */
  get isEmpty(): boolean {
    return this.#open.size === 0;
  }

  /** The prompts that no process has been given. */
  get unsent(): readonly Prompt[] {
    return this.#unsent;
  }

  /** Whether a process has been given prompts that it has not started. */
  get hasWaitingAhead(): boolean {
    return this.#of(PromptState.QUEUED).some(({ isSent }) => isSent);
  }

  /** The prompts to give to the process now: always the next one, and more while few bytes wait in the process. */
  get due(): readonly Prompt[] {
    let ahead = 0;
    for (const { isSent, state, bytes } of this.#open.values())
      if (isSent && state === PromptState.QUEUED) ahead += bytes;
    return this.#unsent.filter(({ bytes, isReturned }) => {
      const isDue = !isReturned && (ahead === 0 || ahead + bytes <= AHEAD_BYTES);
      // Prompts stay in order: behind one that waits, the next one waits too.
      ahead = isDue ? ahead + bytes : Number.POSITIVE_INFINITY;
      return isDue;
    });
  }

  /** Whether there are some, and no process has been given any. */
  get isUnsent(): boolean {
    return this.#open.size > 0 && [...this.#open.values()].every(({ isSent }) => !isSent);
  }

  add(prompt: Prompt): void {
    this.#open.set(prompt.id, {
      ...prompt,
      state: PromptState.QUEUED,
      isSent: false,
      isTakenIn: false,
      isReturned: false,
    });
    this.#queued++;
    this.#queuedBytes += prompt.bytes;
  }

  sent(id: string): void {
    const prompt = this.#open.get(id);
    if (prompt) prompt.isSent = true;
  }

  /** Prompts were not sent after all, or were returned. */
  unsend(ids: readonly string[]): void {
    for (const id of ids) {
      const prompt = this.#open.get(id);
      if (prompt) prompt.isSent = false;
    }
  }

  /** Recalls the prompts that the process was given and has not started; that it drops them is then not an event. */
  recalled(): readonly string[] {
    const ids = this.#of(PromptState.QUEUED).flatMap(({ id, isSent }) => (isSent ? [id] : []));
    this.unsend(ids);
    return ids;
  }

  /** The process was asked for a prompt back: it does not get it again. */
  returned(id: string): void {
    const prompt = this.#open.get(id);
    if (prompt) prompt.isReturned = true;
  }

  /** Whether the turn of one of them has started. */
  get hasBegun(): boolean {
    return this.#of(PromptState.STARTED).length > 0;
  }

  /** A prompt is about to be given to an agent that does not report the state of prompts: it counts as started. */
  begun(id: string): PromptNews {
    return this.#to(id, PromptState.STARTED);
  }

  /** The turn of a prompt starts, or a prompt joins a turn. */
  started(id: string): PromptNews {
    this.#isTold = true;
    return this.#to(id, PromptState.STARTED);
  }

  /** The agent has acknowledged a prompt, and will report its state. */
  takenIn(id: string): void {
    this.#isTold = true;
    const prompt = this.#open.get(id);
    if (prompt) prompt.isTakenIn = true;
  }

  /**
   * The agent has echoed a prompt, as agents do when its turn starts, and also for one that they have seen before: that one is
   * not answered again. It was cut off when an earlier process died before it reported the start.
   */
  shown(id: string): PromptNews {
    const prompt = this.#open.get(id);
    if (prompt?.state !== PromptState.QUEUED || prompt.isTakenIn) return NOTHING;
    const joins = !this.#isTold && this.#of(PromptState.STARTED).length > 0;
    return joins ? this.#to(id, PromptState.STARTED) : this.#cancel(id, CANCELLED.before);
  }

  /** Agents that do not report it start with the oldest one. */
  startedNext(): PromptNews {
    if (this.#isTold) return NOTHING;
    const [next] = this.#of(PromptState.QUEUED).filter(({ isSent }) => isSent);
    return next && this.#of(PromptState.STARTED).length === 0
      ? this.#to(next.id, PromptState.STARTED)
      : NOTHING;
  }

  /** The agent is done with a prompt; dropping one that was withdrawn from it ends nothing. */
  ended(id: string, isAnswered: boolean): PromptNews {
    if (!isAnswered && !this.wasSent(id)) return NOTHING;
    return isAnswered ? this.#to(id, PromptState.COMPLETED) : this.#cancel(id, CANCELLED.dropped);
  }

  /** A turn is over: its prompt is answered, and those that joined it. */
  turnEnded(answered: readonly string[]): PromptNews & { readonly ids: readonly string[] } {
    const known = answered.filter((id) => this.#open.has(id));
    const begun = this.#of(PromptState.STARTED).map(({ id }) => id);
    const ids = known.length + begun.length > 0 ? [...new Set([...known, ...begun])] : this.#guess();
    return { ...join(ids.map((id) => this.#to(id, PromptState.COMPLETED))), ids };
  }

  /** A client has moved it to a position in the queue, counted from 1; `seq` is the number of the event. Prompts held by a process stay first. */
  moved(id: string, position: number, seq: number): PromptNews {
    const queued = this.#of(PromptState.QUEUED);
    const prompt = queued.find((each) => each.id === id);
    if (!prompt || prompt.isSent) return NOTHING;
    const others = queued.filter((each) => each !== prompt);
    const first = others.filter(({ isSent }) => isSent).length;
    const at = Math.min(Math.max(position - 1, first), others.length);
    const order = others.toSpliced(at, 0, prompt);
    for (const each of order) {
      this.#open.delete(each.id);
      this.#open.set(each.id, each);
    }
    const value = { promptId: id, state: PromptState.QUEUED, position: at + 1 };
    return {
      drafts: [{ body: { case: "promptChange", value } }],
      writes: [{ type: "orderPrompts", ids: order.map((each) => each.id), seq }],
    };
  }

  /** A client has withdrawn it. */
  cancelled(id: string): PromptNews {
    return this.#cancel(id, CANCELLED.withdrawn);
  }

  /** Its stored content is damaged. */
  unreadable(id: string): PromptNews {
    return this.#cancel(id, CANCELLED.unreadable);
  }

  /** An interrupt ends the process, or the wait for one: if no prompt has started, the interrupt is for the first one. */
  brokenOff(): PromptNews {
    const [first] = this.#open.values();
    if (!first || this.#of(PromptState.STARTED).length > 0) return NOTHING;
    return this.#cancel(first.id, CANCELLED.interrupted);
  }

  /** Whether a prompt can still be withdrawn. */
  isQueued(id: string): boolean {
    return this.#open.get(id)?.state === PromptState.QUEUED;
  }

  wasSent(id: string): boolean {
    return this.#open.get(id)?.isSent === true;
  }

  /**
   * The process has ended. Prompts that it had started are not started again, since their tools may already have run, and `failure` says so; the
   * rest stay queued.
   */
  processEnded(): PromptNews & { readonly failure: string } {
    for (const prompt of this.#open.values()) {
      prompt.isSent = false;
      prompt.isTakenIn = false;
      prompt.isReturned = false;
    }
    // For an agent that does not report the state of prompts, they were marked as started when it got them.
    const reason = this.#isTold ? CANCELLED.died : CANCELLED.untold;
    this.#isTold = false;
    const begun = this.#of(PromptState.STARTED);
    const news = join(begun.map(({ id }) => this.#to(id, PromptState.CANCELLED, reason, true)));
    return { ...news, failure: begun.length > 0 ? reason : "" };
  }

  /** Agents that report neither the start of a turn nor its prompts answer in the order of the prompts. */
  #guess(): readonly string[] {
    if (this.#isTold) return [];
    return [...this.#open.values()].flatMap(({ id, isSent }) => (isSent ? [id] : [])).slice(0, 1);
  }

  get #unsent(): readonly Tracked[] {
    return [...this.#open.values()].filter(({ isSent }) => !isSent);
  }

  #of(state: PromptState): readonly Tracked[] {
    return [...this.#open.values()].filter((prompt) => prompt.state === state);
  }

  #cancel(id: string, reason: string): PromptNews {
    return this.#to(id, PromptState.CANCELLED, reason);
  }

  #to(id: string, state: PromptState, reason = "", cutOff = false): PromptNews {
    const prompt = this.#open.get(id);
    if (!prompt || prompt.state === state) return NOTHING;
    if (prompt.state === PromptState.QUEUED) {
      this.#queued--;
      this.#queuedBytes -= prompt.bytes;
    }
    prompt.state = state;
    if (state === PromptState.COMPLETED || state === PromptState.CANCELLED) this.#open.delete(id);
    return {
      drafts: [{ body: { case: "promptChange", value: { promptId: id, state, reason, cutOff } } }],
      writes: [{ type: "changePrompt", id, state }],
    };
  }
}

function join(news: readonly PromptNews[]): PromptNews {
  return { drafts: news.flatMap(({ drafts }) => drafts), writes: news.flatMap(({ writes }) => writes) };
}
