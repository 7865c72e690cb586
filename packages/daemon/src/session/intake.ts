import { randomUUID } from "node:crypto";
import { PromptState } from "@agentwire/api";
import type { MessageContent } from "@agentwire/protocol";
import { DaemonError } from "../errors.ts";
import type { Metrics } from "../metrics/metrics.ts";
import type { Database } from "../store/database.ts";
import type { TraceContext } from "../tracing/trace-context.ts";
import type { Meter } from "../usage/meter.ts";
import type { Journal } from "./journal.ts";
import { type Accepted, acceptedBefore, acceptWrite, type Prompts, textOf } from "./prompts.ts";
import type { SessionState } from "./state.ts";

/** What is needed to accept prompts. */
export interface IntakeOptions {
  readonly db: Database;
  readonly journal: Journal;
  readonly state: SessionState;
  readonly prompts: Prompts;
  readonly meter: Meter;
  readonly metrics: Metrics;
  /** A prompt has been accepted. */
  readonly onAccepted: () => void;
}

/** A prompt as a client sends it. */
export interface NewPrompt {
  readonly content: MessageContent;
  readonly client: string;
  /** The same key is accepted once. */
  readonly key: string | null;
  readonly trace?: TraceContext | undefined;
}

const FIRST_PROMPT_CHARS = 200;
/** Nobody waits for the answer to so many; each of them is in memory. */
const MAX_WAITING_PROMPTS = 1000;

/** Accepts the prompts of one session: each is on disk before anybody hears that it was accepted. */
export class Intake {
  readonly #options: IntakeOptions;
  #arriving = 0;
  /** Prompts with a key that are on their way to the disk. */
  readonly #accepting = new Map<string, Promise<Accepted>>();

  constructor(options: IntakeOptions) {
    this.#options = options;
  }

  /** How many prompts are on their way to the disk. */
  get arriving(): number {
    return this.#arriving;
  }

  /** Accepts a prompt: it is on disk when this resolves, and will be answered. */
  async send(prompt: NewPrompt): Promise<Accepted> {
    const { key } = prompt;
    if (key === null) return this.#accept(prompt);
    const { db, state } = this.#options;
    const known = this.#accepting.get(key) ?? acceptedBefore(db, state.record.id, key);
    if (known) return { ...(await known), isNew: false };
    const accepting = this.#accept(prompt);
    this.#accepting.set(key, accepting);
    return accepting.finally(() => this.#accepting.delete(key));
  }

  async #accept({ content, client, key, trace }: NewPrompt): Promise<Accepted> {
    const { journal, state, prompts, meter, metrics, onAccepted } = this.#options;
    if (prompts.queued + this.#arriving >= MAX_WAITING_PROMPTS)
      throw new DaemonError("TOO_MANY", `${MAX_WAITING_PROMPTS} prompts wait in this session already`);
    state.tell(meter.notices());
    meter.mustAfford();
    const promptId = randomUUID();
    const seq = journal.nextSeq;
    const text = textOf(content);
    const contentJson = typeof content === "string" ? "" : JSON.stringify(content);
    const { id, firstPrompt } = state.record;
    this.#arriving++;
    try {
      await journal.say(
        [{ body: { case: "userInput", value: { promptId, text, contentJson, client } } }],
        [
          acceptWrite({ promptId, sessionId: id, key, content, client, state: PromptState.QUEUED, seq }),
          state.change({
            updatedMs: Date.now(),
            ...(firstPrompt === "" && { firstPrompt: text.slice(0, FIRST_PROMPT_CHARS) }),
          }),
        ],
      );
    } finally {
      this.#arriving--;
    }
    metrics.prompts.add(1);
    prompts.add({ id: promptId, content, trace });
    onAccepted();
    return { promptId, seq, isNew: true };
  }
}
