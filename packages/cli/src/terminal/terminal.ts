import { emitKeypressEvents } from "node:readline";
import type { Person } from "../io.ts";
import { isEnter, TOO_SOON_MS, whenAlone, writtenBy } from "./answer-keys.ts";
import { EMPTY, edit, insert, type Key, type Line, lineOf } from "./line-editor.ts";
import { Screen } from "./screen.ts";

/** The outcome of asking for a line. */
export type LineAnswer =
  | { readonly type: "line"; readonly text: string }
  /** Escape: the user declines. */
  | { readonly type: "back" }
  /** Ctrl-D on an empty line, or the terminal is gone. */
  | { readonly type: "end" }
  /** The signal fired first. */
  | { readonly type: "left"; readonly text: string };

/** The outcome of asking for a key. */
export type KeyAnswer =
  | { readonly type: "key"; readonly key: string }
  /** More than one letter: a sentence, which is not an answer. */
  | { readonly type: "sentence"; readonly text: string };

/** A request for a line. */
export interface LinePrompt {
  readonly label: string;
  readonly text?: string;
  /** Earlier lines for the arrow keys, newest last. */
  readonly history?: readonly string[];
  readonly onChange?: (text: string) => void;
}

type Taker = (key: Key) => void;

const PASTE_ON = "\x1b[?2004h";
const PASTE_OFF = "\x1b[?2004l";

/** Interacts with a person at a terminal: shows text as it arrives, and asks for keys and lines below it. */
export class Terminal {
  readonly screen: Screen;
  readonly #person: Person;
  readonly #onInterrupt: () => void;
  #take: Taker = () => {};
  #isPasting = false;
  #isGone = false;
  readonly #onKey = (_: string | undefined, key: Key) => this.#onPress(key);
  readonly #onEnd = () => {
    this.#isGone = true;
    this.#take({ name: "d", ctrl: true });
  };

  /** `onInterrupt` is called for Ctrl-C while a key or line is awaited; at other times the process gets the signal. */
  constructor(person: Person, onInterrupt: () => void) {
    this.#person = person;
    this.#onInterrupt = onInterrupt;
    this.screen = new Screen(person.screen);
    emitKeypressEvents(person.keys);
  }

  /** Waits for one of the keys, pressed alone, or for a sentence; undefined if the signal fires first. */
  key(label: string, wanted: readonly string[], signal: AbortSignal): Promise<KeyAnswer | undefined> {
    const askedAt = Date.now();
    let text = "";
    let isSentence = false;
    let forget = () => {};
    const answer = this.#ask<KeyAnswer | undefined>(signal, undefined, (resolve) => {
      const show = (next: string) => {
        text = next;
        this.screen.show({ label, text, at: text.length });
      };
      const take = () => resolve({ type: "key", key: text.toLowerCase() });
      show("");
      return (key) => {
        forget();
        if (this.#isGone) return resolve(undefined);
        if (Date.now() - askedAt < TOO_SOON_MS) return;
        const written = this.#isPasting ? (key.sequence ?? "") : writtenBy(key);
        if (isSentence) text += written;
        else if (written === "") {
          if (text !== "" && isEnter(key)) take();
          else show("");
        } else if (text === "" && !this.#isPasting && wanted.includes(written.toLowerCase())) {
          show(written);
          forget = whenAlone(take);
        } else {
          isSentence = true;
          text += written;
          // Input that arrived together belongs to the sentence.
          setImmediate(() => resolve({ type: "sentence", text }));
        }
      };
    });
    return answer.finally(() => forget());
  }

  /** Waits for a line. */
  line({ label, text = "", history = [], onChange }: LinePrompt, signal: AbortSignal): Promise<LineAnswer> {
    let line: Line = lineOf(text);
    let place = history.length;
    const left = () => ({ type: "left", text: line.text }) as const;
    return this.#ask<LineAnswer>(signal, left, (resolve) => {
      const change = (next: Line) => {
        line = next;
        this.screen.show({ label, ...line });
        onChange?.(line.text);
      };
      this.screen.show({ label, ...line });
      return (key) => {
        if (this.#isPasting) return change(insert(line, (key.sequence ?? "").replace(/\r/g, "\n")));
        if (this.#isGone || (key.ctrl && key.name === "d" && line.text === ""))
          return resolve({ type: "end" });
        if (isEnter(key)) return resolve({ type: "line", text: line.text });
        if (key.name === "escape") return resolve({ type: "back" });
        if (key.name === "up" || key.name === "down") {
          place = Math.min(history.length, Math.max(0, place + (key.name === "up" ? -1 : 1)));
          return change(place === history.length ? EMPTY : lineOf(history[place] ?? ""));
        }
        change(edit(line, key));
      };
    });
  }

  /** Takes over the terminal's input only while something is asked. */
  async #ask<T>(
    signal: AbortSignal,
    ifLeft: T | (() => T),
    begin: (resolve: (answer: T) => void) => Taker,
  ): Promise<T> {
    const { keys, screen } = this.#person;
    const left = () => (ifLeft instanceof Function ? ifLeft() : ifLeft);
    if (signal.aborted) return left();
    keys.on("keypress", this.#onKey).on("end", this.#onEnd);
    keys.setRawMode(true);
    keys.resume();
    screen.write(PASTE_ON);
    let leave = () => {};
    try {
      return await new Promise<T>((resolve) => {
        leave = () => resolve(left());
        signal.addEventListener("abort", leave, { once: true });
        this.#take = begin(resolve);
        if (this.#isGone) this.#take({ name: "d", ctrl: true });
      });
    } finally {
      signal.removeEventListener("abort", leave);
      this.#take = () => {};
      keys.off("keypress", this.#onKey).off("end", this.#onEnd);
      keys.pause();
      keys.setRawMode(false);
      screen.write(PASTE_OFF);
      this.screen.show(undefined);
    }
  }

  #onPress(key: Key): void {
    if (key.name === "paste-start") this.#isPasting = true;
    else if (key.name === "paste-end") this.#isPasting = false;
    else if (key.ctrl && key.name === "c") this.#onInterrupt();
    else this.#take(key);
  }
}
