import { emitKeypressEvents, type Interface } from "node:readline";
import type { ReadStream } from "node:tty";
import type { Key } from "../terminal/line-editor.ts";

/** An Escape that is no beginning of a longer sequence is known after this time, also over a slow line. */
const ESCAPE_MS = 60;

export interface KeyboardOptions {
  readonly onKey: (key: Key) => void;
  readonly onPaste: (text: string) => void;
  /** The terminal is gone. */
  readonly onEnd: () => void;
}

/** The keys that are pressed at a terminal; what is pasted comes as one text. */
export class Keyboard {
  readonly #keys: ReadStream;
  readonly #options: KeyboardOptions;
  #pasted: string | undefined;

  constructor(keys: ReadStream, options: KeyboardOptions) {
    this.#keys = keys;
    this.#options = options;
    // Only this is read of what it calls an interface.
    emitKeypressEvents(keys, { escapeCodeTimeout: ESCAPE_MS } as unknown as Interface);
  }

  start(): void {
    this.#keys.on("keypress", this.#onKey).on("end", this.#options.onEnd);
    this.#keys.setRawMode(true);
    this.#keys.resume();
  }

  stop(): void {
    this.#keys.off("keypress", this.#onKey).off("end", this.#options.onEnd);
    this.#keys.pause();
    this.#keys.setRawMode(false);
  }

  readonly #onKey = (_: string | undefined, key: Key) => {
    if (key.name === "paste-start") this.#pasted = "";
    else if (key.name === "paste-end") {
      const text = this.#pasted ?? "";
      this.#pasted = undefined;
      this.#options.onPaste(text);
    } else if (this.#pasted !== undefined) this.#pasted += key.sequence ?? "";
    else this.#options.onKey(key);
  };
}
