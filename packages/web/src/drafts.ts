import type { Attachment } from "./text/attachments.ts";

/** An unsent prompt. */
export interface PromptDraft {
  readonly text: string;
  readonly attachments: readonly Attachment[];
}

const NAME = "agentwire-draft-";
/** Drafts that have not changed for this long are removed. */
const KEPT_MS = 30 * 86_400_000;
const EMPTY: PromptDraft = { text: "", attachments: [] };

/** Unsent prompts by session. Texts stay on this device until they are sent; attachments can be large, so they last only as long as the page. */
export class Drafts {
  readonly #attachments = new Map<string, readonly Attachment[]>();
  readonly #onGiven = new Map<string, () => void>();
  readonly #storage: Storage;

  constructor(storage: Storage, nowMs: number) {
    this.#storage = storage;
    for (const key of Object.keys(storage))
      if (key.startsWith(NAME) && !(savedMs(storage.getItem(key)) > nowMs - KEPT_MS)) storage.removeItem(key);
  }

  get(sessionId: string): PromptDraft {
    const saved = this.#storage.getItem(NAME + sessionId);
    const attachments = this.#attachments.get(sessionId) ?? EMPTY.attachments;
    return { text: saved?.slice(saved.indexOf(" ") + 1) ?? "", attachments };
  }

  set(sessionId: string, { text, attachments }: PromptDraft): void {
    if (attachments.length > 0) this.#attachments.set(sessionId, attachments);
    else this.#attachments.delete(sessionId);
    try {
      if (text === "") this.#storage.removeItem(NAME + sessionId);
      else this.#storage.setItem(NAME + sessionId, `${Date.now()} ${text}`);
    } catch {
      // The storage is full: this draft lasts only as long as its text field.
    }
  }

  /** Inserts a text before the draft and notifies its text field. */
  give(sessionId: string, text: string): void {
    const { text: begun, attachments } = this.get(sessionId);
    this.set(sessionId, { text: begun === "" ? text : `${text}\n${begun}`, attachments });
    this.#onGiven.get(sessionId)?.();
  }

  /** Appends a word to the draft and notifies its text field. */
  append(sessionId: string, word: string): void {
    const { text, attachments } = this.get(sessionId);
    const gap = text === "" || /\s$/.test(text) ? "" : " ";
    this.set(sessionId, { text: `${text}${gap}${word} `, attachments });
    this.#onGiven.get(sessionId)?.();
  }

  /** Calls back whenever a text is inserted into a session's draft, until the returned function is called. */
  listen(sessionId: string, told: () => void): () => void {
    this.#onGiven.set(sessionId, told);
    return () => this.#onGiven.delete(sessionId);
  }

  clear(sessionId: string): void {
    this.set(sessionId, EMPTY);
  }
}

const savedMs = (saved: string | null) => Number(saved?.split(" ", 1)[0]);
