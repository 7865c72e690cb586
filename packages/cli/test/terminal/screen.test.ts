import { expect, test } from "vitest";
import { Screen } from "../../src/terminal/screen.ts";

/** A minimal terminal for the screen. */
class Glass {
  readonly columns = 20;
  readonly rows: string[][] = [[]];
  #row = 0;
  #column = 0;

  write(text: string): void {
    for (const [token] of text.matchAll(/\p{Cc}\[\??\d*[A-Za-z]|./gsu)) this.#take(token);
  }

  get text(): string {
    return this.rows.map((row) => row.join("").trimEnd()).join("\n");
  }

  #take(token: string): void {
    const count = Number(/\d+/.exec(token)?.[0] ?? 1);
    if (token === "\r") this.#column = 0;
    else if (token === "\n") this.#down();
    else if (token.endsWith("A") && token.length > 1) this.#row -= count;
    else if (token.endsWith("C") && token.length > 1) this.#column += count;
    else if (token === "\x1b[J") {
      this.rows.splice(this.#row + 1);
      this.rows[this.#row]?.splice(this.#column);
    } else if (token.length === 1) {
      if (this.#column === this.columns) this.#down();
      const row = this.rows[this.#row] ?? [];
      row[this.#column++] = token;
    }
  }

  #down(): void {
    this.#row++;
    this.#column = 0;
    this.rows[this.#row] ??= [];
  }
}

const footer = (text: string) => ({ label: "> ", text, at: text.length });

test.each<[string, (screen: Screen) => void, string]>([
  [
    "text appears as it arrives",
    (s) => {
      for (const text of ["Hel", "lo\nwor", "ld"]) s.write(text);
    },
    "Hello\nworld",
  ],
  [
    "the footer stays below new text",
    (s) => {
      s.write("one");
      s.show(footer("typing"));
      s.write(" two\nthree");
    },
    "one two\nthree\n> typing",
  ],
  [
    "a line longer than the screen is redrawn completely",
    (s) => {
      s.show(footer("x"));
      for (const letter of "abcdefghijklmnopqrstuvwxyz0123456789ABCDEFGHIJ") s.write(letter);
    },
    "abcdefghijklmnopqrst\nuvwxyz0123456789ABCD\nEFGHIJ\n> x",
  ],
  [
    "without its footer the text continues where it ended",
    (s) => {
      s.write("abcdefghijklmnopqrstuvwxyz");
      s.show(footer("x"));
      s.show(undefined);
      s.write("0\nend");
    },
    "abcdefghijklmnopqrst\nuvwxyz0\nend",
  ],
  [
    "the end of a long typed line is visible",
    (s) => s.show(footer("abcdefghijklmnopqrstuvwxyz")),
    "> klmnopqrstuvwxyz",
  ],
])("%s", (_, act, expected) => {
  const glass = new Glass();
  act(new Screen(glass));
  expect(glass.text).toBe(expected);
});
