import { randomUUID } from "node:crypto";
import { contentText, type MessageContent } from "@agentwire/protocol/messages";
import type { Metrics } from "../metrics/metrics.ts";
import type { Store } from "../store/store.ts";
import type { TraceContext } from "../tracing/trace-context.ts";
import type { Meter } from "../usage/meter.ts";
import type { Journal } from "./journal.ts";
import type { Accepted, Prompts } from "./prompts.ts";
import { checkQueueLimit, type QueueSize } from "./queue-limits.ts";
import type { SessionState } from "./state.ts";

/** What accepting prompts needs. */
export interface IntakeOptions {
  readonly store: Store;
  readonly journal: Journal;
  readonly state: SessionState;
  readonly prompts: Prompts;
  readonly meter: Meter;
  readonly metrics: Metrics;
  /** The total of all sessions' queues. */
  readonly wholeQueue: () => QueueSize;
  /** A prompt has been accepted. */
  readonly onAccepted: () => void;
}

/** A prompt as a client sends it. */
export interface NewPrompt {
  readonly content: MessageContent;
  readonly client: string;
  /** A prompt with the same key is accepted only once. */
  readonly key: string | null;
  readonly trace?: TraceContext | undefined;
}

const FIRST_PROMPT_CHARS = 200;

/** Accepts the prompts of one session: each is on disk before it is acknowledged. */
export class Intake {
  readonly #options: IntakeOptions;
  #arriving = 0;
  #arrivingBytes = 0;
  /** Prompts with a key that are on their way to the disk. */
  readonly #accepting = new Map<string, Promise<Accepted>>();

  constructor(options: IntakeOptions) {
    this.#options = options;
  }

  /** The queued prompts, and those on their way to the disk. */
  get queueSize(): QueueSize {
    const { prompts, bytes } = this.#options.prompts.queueSize;
    return { prompts: prompts + this.#arriving, bytes: bytes + this.#arrivingBytes };
  }

  /** Accepts a prompt: it is on disk when this resolves, and will be answered. */
  async send(prompt: NewPrompt): Promise<Accepted> {
    const { key } = prompt;
    if (key === null) return this.#accept(prompt);
    const known = this.#accepting.get(key);
    if (known) return { ...(await known), isNew: false };
    const accepting = this.#acceptOnce(prompt, key).finally(() => this.#accepting.delete(key));
    this.#accepting.set(key, accepting);
    return accepting;
  }

  async #acceptOnce(prompt: NewPrompt, key: string): Promise<Accepted> {
    const { store, state } = this.#options;
    const known = await store.prompts.ofKey(state.record.id, key);
    return known ? { ...known, isNew: false } : this.#accept(prompt);
  }

  async #accept({ content, client, key, trace }: NewPrompt): Promise<Accepted> {
    const { journal, state, prompts, meter, metrics, wholeQueue, onAccepted } = this.#options;
    const json = JSON.stringify(content);
    const bytes = Buffer.byteLength(json);
    checkQueueLimit(bytes, this.queueSize, wholeQueue());
    state.tell(meter.notices());
    meter.mustAfford();
    const promptId = randomUUID();
    const seq = journal.nextSeq;
    const text = contentText(content);
    const contentJson = typeof content === "string" ? "" : json;
    const { id, firstPrompt } = state.record;
    this.#arriving++;
    this.#arrivingBytes += bytes;
    try {
      await journal.say(
        [{ body: { case: "userInput", value: { promptId, text, contentJson, client } } }],
        [
          { type: "acceptPrompt", prompt: { promptId, sessionId: id, key, json, client, seq } },
          state.change({
            updatedMs: Date.now(),
            ...(firstPrompt === "" && { firstPrompt: text.slice(0, FIRST_PROMPT_CHARS) }),
          }),
        ],
      );
    } finally {
      this.#arriving--;
      this.#arrivingBytes -= bytes;
    }
    metrics.prompts.add(1);
    prompts.add({ id: promptId, bytes, trace });
    onAccepted();
    return { promptId, seq, isNew: true };
  }
}
