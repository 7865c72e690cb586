/** The position in the JSON, named after what may come next. */
type Place = "start" | "key" | "colon" | "value" | "next" | "end";

const WORDS: ReadonlyMap<string, string> = new Map([
  ["true", "true"],
  ["false", "false"],
  ["null", "null"],
  ["True", "true"],
  ["False", "false"],
  ["None", "null"],
  ["undefined", "null"],
]);

const SPACE = /\s/;
const BARE = /[\w.+-]/;
const NUMBER = /^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?$/;
const CONTROL: ReadonlyMap<string, string> = new Map([
  ["\n", "\\n"],
  ["\r", "\\r"],
  ["\t", "\\t"],
]);

/**
 * Passes on the arguments of a tool call as they arrive and repairs common mistakes of models on the way: line breaks and quotes inside
 * strings, single quotes, bare keys, extra or missing commas, Python literals, a surrounding fence, unclosed brackets. Valid JSON passes
 * through unchanged. Text that can't be repaired also passes through, so that the model gets an error.
 */
export class JsonMender {
  #place: Place = "start";
  /** The closing brackets of the open ones. */
  readonly #open: string[] = [];
  /** The quote that ends the current string. */
  #quote = "";
  #escaped = false;
  #isKey = false;
  /** An unfinished word or number. */
  #word = "";
  /** A comma that counts only if something follows it. */
  #comma = "";
  #isLost = false;
  /** An opening bracket that may turn out to be the whole input, and the text after it. */
  #opening = "";
  /** Input that does not start like an object, to be examined once it is complete. */
  #odd = "";

  /** Takes the next piece; returns the text that can be passed on. */
  push(text: string): string {
    if (this.#isLost) return text;
    let out = "";
    for (let i = 0; i < text.length; i++) {
      const run = this.#quote !== "" && !this.#escaped ? runFrom(text, i) : "";
      if (run === "") out += this.#isLost ? text[i] : this.#take(text[i] ?? "");
      else {
        out += run;
        i += run.length - 1;
      }
    }
    return out;
  }

  /** Ends the text; returns what is missing. An unfinished string is not completed: it may be half of a file. */
  end(): string {
    if (this.#odd !== "") return unpacked(this.#odd);
    if (this.#isLost || this.#quote !== "") return "";
    const word = this.#endWord();
    const isCut = this.#place === "colon" || (this.#place === "value" && this.#open.at(-1) !== "]");
    if (this.#isLost || (isCut && this.#open.length > 0)) return word;
    return this.#opening + word + this.#open.splice(0).reverse().join("");
  }

  #take(character: string): string {
    if (this.#quote !== "") return this.#inString(character);
    if (this.#word !== "") {
      if (BARE.test(character)) {
        this.#word += character;
        return "";
      }
      return this.#endWord() + this.#take(character);
    }
    if (this.#odd === "" && SPACE.test(character)) return this.#space(character);
    switch (this.#place) {
      case "start":
        return this.#start(character);
      case "key":
        return this.#key(character);
      case "colon":
        if (character === ":" || character === "=") return this.#go("value", ":");
        return this.#lose(character);
      case "value":
        return this.#value(character);
      case "next":
        return this.#next(character);
      case "end":
        // Some servers start every call with an empty object; text after the arguments is dropped.
        return this.#opening !== "" && character === "{" ? this.#start(character) : "";
    }
  }

  #start(character: string): string {
    if (this.#odd !== "" || character !== "{") {
      this.#odd += character;
      return "";
    }
    this.#open.push("}");
    this.#place = "key";
    this.#opening = character;
    return "";
  }

  #key(character: string): string {
    if (character === "}") return this.#leave(character);
    if (character === '"' || character === "'") return this.#begin(character, true);
    if (character === ",") return "";
    if (!BARE.test(character)) return this.#lose(character);
    const comma = this.#release();
    this.#isKey = true;
    this.#word = character;
    return comma;
  }

  #value(character: string): string {
    if (character === "{") return this.#enter("{", "}", "key");
    if (character === "[") return this.#enter("[", "]", "value");
    if (character === "]" && this.#open.at(-1) === "]") return this.#leave(character);
    if (character === '"' || character === "'") return this.#begin(character, false);
    if (!BARE.test(character)) return this.#lose(character);
    const comma = this.#release();
    this.#isKey = false;
    this.#word = character;
    return comma;
  }

  #next(character: string): string {
    if (character === ",") {
      this.#comma = ",";
      this.#place = this.#open.at(-1) === "}" ? "key" : "value";
      return "";
    }
    if (character === "}" || character === "]") return this.#leave(character);
    // A comma is missing.
    this.#comma = ",";
    this.#place = this.#open.at(-1) === "}" ? "key" : "value";
    return this.#take(character);
  }

  #enter(bracket: string, closing: string, place: Place): string {
    const comma = this.#release();
    this.#open.push(closing);
    return this.#go(place, comma + bracket);
  }

  #leave(bracket: string): string {
    // Drop the comma before a closing bracket, but keep the space after it.
    const space = this.#comma.slice(1);
    this.#comma = "";
    if (this.#open.pop() !== bracket) return this.#lose(space + bracket);
    if (this.#open.length > 0) return this.#go("next", space + bracket);
    this.#place = "end";
    if (this.#opening === "") return space + bracket;
    this.#opening += bracket;
    return "";
  }

  #begin(quote: string, isKey: boolean): string {
    this.#quote = quote;
    this.#isKey = isKey;
    return `${this.#release()}"`;
  }

  #inString(character: string): string {
    if (this.#escaped) {
      this.#escaped = false;
      if (character === "'") return "'";
      return `\\${'"\\/bfnrtu'.includes(character) ? "" : "\\"}${character}`;
    }
    if (character === "\\") {
      this.#escaped = true;
      return "";
    }
    if (character === this.#quote) {
      this.#quote = "";
      return this.#go(this.#isKey ? "colon" : "next", '"');
    }
    if (character === '"') return '\\"';
    if (character >= " ") return character;
    return CONTROL.get(character) ?? `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
  }

  #endWord(): string {
    const word = this.#word;
    this.#word = "";
    if (word === "") return "";
    if (this.#isKey) return this.#go("colon", JSON.stringify(word));
    const known = WORDS.get(word) ?? (NUMBER.test(word) ? word : undefined);
    return known === undefined ? this.#lose(word) : this.#go("next", known);
  }

  #go(place: Place, text: string): string {
    this.#place = place;
    return text;
  }

  #space(space: string): string {
    if (this.#place === "start" || this.#place === "end") return "";
    if (this.#comma !== "") this.#comma += space;
    else if (this.#opening !== "") this.#opening += space;
    else return space;
    return "";
  }

  /** Releases held-back text because something follows it. */
  #release(): string {
    const held = this.#opening + this.#comma;
    this.#opening = "";
    this.#comma = "";
    return held;
  }

  #lose(text: string): string {
    this.#isLost = true;
    return this.#release() + text;
  }
}

const RUN = /[^"'\\\p{Cc}]+/uy;

/** The run of characters from a position in a string that need no individual handling. */
function runFrom(text: string, at: number): string {
  RUN.lastIndex = at;
  return RUN.exec(text)?.[0] ?? "";
}

const FENCE = /^`{3,}\w*\s*([\s\S]*?)\s*`{3,}\s*$/;

/** Unwraps arguments in a fence or in a JSON string; other text is returned unchanged. */
function unpacked(text: string): string {
  const fenced = FENCE.exec(text.trim())?.[1];
  if (fenced?.startsWith("{")) {
    const mender = new JsonMender();
    return mender.push(fenced) + mender.end();
  }
  try {
    const inner: unknown = JSON.parse(text);
    if (inner === null) return "{}";
    return typeof inner === "string" && inner.trimStart().startsWith("{") ? inner : text;
  } catch {
    return text;
  }
}
