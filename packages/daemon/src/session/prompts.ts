import { PromptState } from "@agentwire/api";
import type { Database } from "../store/database.ts";
import type { Draft } from "../store/draft.ts";
import { promptOfKey, promptStateWrite } from "../store/prompt-table.ts";
import type { Write } from "../store/write.ts";
import type { TraceContext } from "../tracing/trace-context.ts";
import type { QueueSize } from "./queue-limits.ts";

/** Something a client has said that is not answered yet; what it says is in the store until an agent is given it. */
export interface Prompt {
  readonly id: string;
  /** How large it is in the store. */
  readonly bytes: number;
  /** The trace that it belongs to, for as long as this daemon runs. */
  readonly trace?: TraceContext | undefined;
}

/** A prompt that was accepted, now or under the same key before. */
export interface Accepted {
  readonly promptId: string;
  /** The number of the event that tells of it. */
  readonly seq: number;
  readonly isNew: boolean;
}

/** The prompt that was accepted under a key, if one was. */
export function acceptedBefore(db: Database, sessionId: string, key: string): Accepted | undefined {
  const known = promptOfKey(db, sessionId, key);
  return known && { ...known, isNew: false };
}

interface Tracked extends Prompt {
  state: PromptState;
  /** Whether the process that runs now has been given it. */
  isSent: boolean;
  /** Whether that process has said that it will follow it to its end. */
  isTakenIn: boolean;
}

/** What follows from a change: an event for everyone, a write for the next process. */
export interface PromptNews {
  readonly drafts: readonly Draft[];
  readonly writes: readonly Write[];
}

const NOTHING: PromptNews = { drafts: [], writes: [] };

/** Why prompts were cancelled, for people. */
const CANCELLED = {
  withdrawn: "it was withdrawn",
  interrupted: "it was interrupted before it began",
  dropped: "the agent dropped it",
  unreadable: "the store could not read it any more",
  died: "the agent died while it ran this; it may have been executed in part",
  untold:
    "the agent died after it was given this and did not say how far it got; it may have been executed in part, or not at all",
  before:
    "an earlier process of the agent had begun with it and was cut off; it may have been executed in part",
} as const;
/** What a process is given ahead of its turns. */
const AHEAD_BYTES = 4 * 1024 * 1024;

/** The prompts of one session on their way to an answer, in the order they came. */
export class Prompts {
  readonly #open = new Map<string, Tracked>();
  /** Whether the agent says of each prompt when a turn begins with it. */
  #isTold = false;
  #queued = 0;
  #queuedBytes = 0;

  constructor(waiting: readonly Prompt[]) {
    for (const prompt of waiting) this.add(prompt);
  }

  /** Those that no turn has begun with. */
  get queue(): readonly Prompt[] {
    return this.#of(PromptState.QUEUED);
  }

  /** How many those are, and how large. */
  get queueSize(): QueueSize {
    return { prompts: this.#queued, bytes: this.#queuedBytes };
  }

  /** Whether any is not answered. */
  get isEmpty(): boolean {
    return this.#open.size === 0;
  }

  /** Those that no process has been given. */
  get unsent(): readonly Prompt[] {
    return [...this.#open.values()].filter(({ isSent }) => !isSent);
  }

  /** Those that the process is given now: the next one always, and more while little waits in the process. */
  get due(): readonly Prompt[] {
    let ahead = 0;
    for (const { isSent, state, bytes } of this.#open.values())
      if (isSent && state === PromptState.QUEUED) ahead += bytes;
    return this.unsent.filter(({ bytes }) => {
      const isDue = ahead === 0 || ahead + bytes <= AHEAD_BYTES;
      // Behind one that waits, the next one waits.
      ahead = isDue ? ahead + bytes : Number.POSITIVE_INFINITY;
      return isDue;
    });
  }

  /** Whether there are some, and no process has been given any. */
  get isUnsent(): boolean {
    return this.#open.size > 0 && [...this.#open.values()].every(({ isSent }) => !isSent);
  }

  add(prompt: Prompt): void {
    this.#open.set(prompt.id, { ...prompt, state: PromptState.QUEUED, isSent: false, isTakenIn: false });
    this.#queued++;
    this.#queuedBytes += prompt.bytes;
  }

  sent(id: string): void {
    const prompt = this.#open.get(id);
    if (prompt) prompt.isSent = true;
  }

  /** Prompts that were to be sent are not, or are ours again. */
  unsend(ids: readonly string[]): void {
    for (const id of ids) {
      const prompt = this.#open.get(id);
      if (prompt) prompt.isSent = false;
    }
  }

  /** Those that the process has been given and has not begun with are ours again: dropping them is not an event. */
  recalled(): readonly string[] {
    const ids = this.#of(PromptState.QUEUED).flatMap(({ id, isSent }) => (isSent ? [id] : []));
    this.unsend(ids);
    return ids;
  }

  /** Whether a turn has begun with one of them. */
  get hasBegun(): boolean {
    return this.#of(PromptState.STARTED).length > 0;
  }

  /** A prompt is about to be given to an agent that says nothing of prompts: it counts as begun, whatever becomes of it. */
  begun(id: string): PromptNews {
    return this.#to(id, PromptState.STARTED);
  }

  /** A turn begins with a prompt, or a prompt joins a turn. */
  started(id: string): PromptNews {
    this.#isTold = true;
    return this.#to(id, PromptState.STARTED);
  }

  /** The agent has taken a prompt in, and will say what becomes of it. */
  takenIn(id: string): void {
    this.#isTold = true;
    const prompt = this.#open.get(id);
    if (prompt) prompt.isTakenIn = true;
  }

  /**
   * The agent has shown a prompt, as agents do when a turn begins with it, and also for one that they had before: that one is
   * not answered again. It was cut off when an earlier process died before it reported the start.
   */
  shown(id: string): PromptNews {
    const prompt = this.#open.get(id);
    if (prompt?.state !== PromptState.QUEUED || prompt.isTakenIn) return NOTHING;
    const joins = !this.#isTold && this.#of(PromptState.STARTED).length > 0;
    return joins ? this.#to(id, PromptState.STARTED) : this.#cancel(id, CANCELLED.before);
  }

  /** Agents that do not tell begin with the one that has waited longest. */
  startedNext(): PromptNews {
    if (this.#isTold) return NOTHING;
    const [next] = this.#of(PromptState.QUEUED).filter(({ isSent }) => isSent);
    return next && this.#of(PromptState.STARTED).length === 0
      ? this.#to(next.id, PromptState.STARTED)
      : NOTHING;
  }

  /** The agent is done with a prompt; that it drops one that was taken back from it ends nothing. */
  ended(id: string, isAnswered: boolean): PromptNews {
    if (!isAnswered && !this.wasSent(id)) return NOTHING;
    return isAnswered ? this.#to(id, PromptState.COMPLETED) : this.#cancel(id, CANCELLED.dropped);
  }

  /** A turn is over: what it began with is answered, and what joined it. */
  turnEnded(answered: readonly string[]): PromptNews & { readonly ids: readonly string[] } {
    const known = answered.filter((id) => this.#open.has(id));
    const begun = this.#of(PromptState.STARTED).map(({ id }) => id);
    const ids = known.length + begun.length > 0 ? [...new Set([...known, ...begun])] : this.#guess();
    return { ...join(ids.map((id) => this.#to(id, PromptState.COMPLETED))), ids };
  }

  /** A client has taken it back. */
  cancelled(id: string): PromptNews {
    return this.#cancel(id, CANCELLED.withdrawn);
  }

  /** What it says is damaged. */
  unreadable(id: string): PromptNews {
    return this.#cancel(id, CANCELLED.unreadable);
  }

  /** An interrupt ends the process, or the wait for one: where nothing has begun, what it was or would be given first is what was meant. */
  brokenOff(): PromptNews {
    const [first] = this.#open.values();
    if (!first || this.#of(PromptState.STARTED).length > 0) return NOTHING;
    return this.#cancel(first.id, CANCELLED.interrupted);
  }

  /** Whether a prompt can still be taken back. */
  isQueued(id: string): boolean {
    return this.#open.get(id)?.state === PromptState.QUEUED;
  }

  wasSent(id: string): boolean {
    return this.#open.get(id)?.isSent === true;
  }

  /**
   * The process is gone. What it had begun with is not begun again, for its tools may have done their work, and `failure` says so; the
   * rest waits.
   */
  processEnded(): PromptNews & { readonly failure: string } {
    for (const prompt of this.#open.values()) {
      prompt.isSent = false;
      prompt.isTakenIn = false;
    }
    // One that says nothing of prompts was noted as begun when it was given them.
    const reason = this.#isTold ? CANCELLED.died : CANCELLED.untold;
    this.#isTold = false;
    const begun = this.#of(PromptState.STARTED);
    const news = join(begun.map(({ id }) => this.#to(id, PromptState.CANCELLED, reason, true)));
    return { ...news, failure: begun.length > 0 ? reason : "" };
  }

  /** Agents that say neither when a turn begins nor what it answers answer in the order in which they were asked. */
  #guess(): readonly string[] {
    if (this.#isTold) return [];
    return [...this.#open.values()].flatMap(({ id, isSent }) => (isSent ? [id] : [])).slice(0, 1);
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
      writes: [promptStateWrite(id, state)],
    };
  }
}

function join(news: readonly PromptNews[]): PromptNews {
  return { drafts: news.flatMap(({ drafts }) => drafts), writes: news.flatMap(({ writes }) => writes) };
}
