import type { InlineImage } from "./text/images.ts";

/** What the user has begun to write to a session. */
export interface PromptDraft {
  readonly text: string;
  readonly images: readonly InlineImage[];
}

const NAME = "agentwire-draft-";
/** Drafts that were not opened for so long are removed. */
const KEPT_MS = 30 * 86_400_000;
const EMPTY: PromptDraft = { text: "", images: [] };

/** Unsent prompts by session. Texts stay on this device until they are sent; images, which can be large, only as long as the page. */
export class Drafts {
  readonly #images = new Map<string, readonly InlineImage[]>();
  readonly #storage: Storage;

  constructor(storage: Storage, nowMs: number) {
    this.#storage = storage;
    for (const key of Object.keys(storage))
      if (key.startsWith(NAME) && !(savedMs(storage.getItem(key)) > nowMs - KEPT_MS)) storage.removeItem(key);
  }

  get(sessionId: string): PromptDraft {
    const saved = this.#storage.getItem(NAME + sessionId);
    const images = this.#images.get(sessionId) ?? EMPTY.images;
    return { text: saved?.slice(saved.indexOf(" ") + 1) ?? "", images };
  }

  set(sessionId: string, { text, images }: PromptDraft): void {
    if (images.length > 0) this.#images.set(sessionId, images);
    else this.#images.delete(sessionId);
    try {
      if (text === "") this.#storage.removeItem(NAME + sessionId);
      else this.#storage.setItem(NAME + sessionId, `${Date.now()} ${text}`);
    } catch {
      // The storage is full: this draft lasts as long as its field.
    }
  }

  clear(sessionId: string): void {
    this.set(sessionId, EMPTY);
  }
}

const savedMs = (saved: string | null) => Number(saved?.split(" ", 1)[0]);
