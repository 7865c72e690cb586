import { emitKeypressEvents, type Interface } from "node:readline";
import type { ReadStream } from "node:tty";
import type { Key } from "../terminal/line-editor.ts";

/** How long to wait after Escape for the rest of a sequence; enough for a slow connection. */
const ESCAPE_MS = 60;

export interface KeyboardOptions {
  readonly onKey: (key: Key) => void;
  readonly onPaste: (text: string) => void;
  /** The terminal is gone. */
  readonly onEnd: () => void;
}

/** Reads keys from a terminal; pasted text is reported as a whole. */
export class Keyboard {
  readonly #keys: ReadStream;
  readonly #options: KeyboardOptions;
  #pasted: string | undefined;

  constructor(keys: ReadStream, options: KeyboardOptions) {
    this.#keys = keys;
    this.#options = options;
    // Of the interface, Node reads only this property.
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
