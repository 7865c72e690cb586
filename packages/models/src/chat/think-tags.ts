const OPEN = "<think>";
const CLOSE = "</think>";

/** A piece of a reply, marked as thinking or text. */
export interface Spoken {
  readonly kind: "text" | "thinking";
  readonly text: string;
}

/** Separates inline thinking from text: servers that don't parse it pass on `<think>…</think>` at the start of the text. */
export class ThinkTags {
  #place: "start" | "thinking" | "after" = "start";
  /** Text that may be the beginning of a tag. */
  #held = "";

  /** Takes the next piece of text. */
  push(text: string): readonly Spoken[] {
    if (this.#place === "after") return text === "" ? [] : [{ kind: "text", text }];
    this.#held += text;
    if (this.#place === "start") {
      const start = this.#held.trimStart();
      if (OPEN.startsWith(start)) return [];
      if (!start.startsWith(OPEN)) return this.#rest();
      this.#place = "thinking";
      this.#held = start.slice(OPEN.length).replace(/^\n/, "");
    }
    const end = this.#held.indexOf(CLOSE);
    if (end < 0) return this.#thought(this.#held.length - overlap(this.#held));
    const thought = this.#thought(end);
    this.#held = this.#held.slice(CLOSE.length).replace(/^\s+/, "");
    return [...thought, ...this.#rest()];
  }

  /** Ends the text; returns what is left. */
  end(): readonly Spoken[] {
    return this.#place === "thinking" ? this.#thought(this.#held.length) : this.#rest();
  }

  #thought(length: number): readonly Spoken[] {
    const text = this.#held.slice(0, length);
    this.#held = this.#held.slice(length);
    return text === "" ? [] : [{ kind: "thinking", text }];
  }

  #rest(): readonly Spoken[] {
    this.#place = "after";
    const text = this.#held;
    this.#held = "";
    return text === "" ? [] : [{ kind: "text", text }];
  }
}

/** How many characters at the end of a text may be the start of the closing tag. */
function overlap(text: string): number {
  for (let length = Math.min(CLOSE.length - 1, text.length); length > 0; length--)
    if (CLOSE.startsWith(text.slice(-length))) return length;
  return 0;
}
