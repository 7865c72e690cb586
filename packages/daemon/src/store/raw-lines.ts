import type { Write } from "./write.ts";

/** A line as written by an agent, under the number of its first event. */
export interface RawLine {
  readonly seq: number;
  readonly line: string;
}

/** The size of the line stored under a number. */
export interface KeptSize {
  readonly seq: number;
  readonly bytes: number;
}

/** The limit for one session; the oldest lines are removed. */
export const MAX_KEPT_BYTES = 16 * 1024 * 1024;
/** The minimum size that a line counts as, so that the number of lines is limited too. */
const LEAST_BYTES = 1024;
/** How much is removed at a time: one delete for many lines. */
const ROOM = 1 / 8;

/** Decides which raw lines of one session are kept. */
export class RawLines {
  readonly #sessionId: string;
  readonly #stored: () => Promise<readonly KeptSize[]>;
  readonly #maxBytes: number;
  #kept: KeptSize[] = [];
  #bytes = 0;
  #isAsked = false;

  /** `stored` returns what an earlier daemon kept; it is called with the first line. */
  constructor(
    sessionId: string,
    stored: () => Promise<readonly KeptSize[]>,
    maxBytes: number = MAX_KEPT_BYTES,
  ) {
    this.#sessionId = sessionId;
    this.#stored = stored;
    this.#maxBytes = maxBytes;
  }

  /** The writes that store a line, and remove the oldest ones if there are too many. */
  keep(seq: number, line: string): readonly Write[] {
    if (!this.#isAsked) this.#ask(seq);
    this.#kept.push(this.#counted({ seq, bytes: Buffer.byteLength(line) }));
    const insert: Write = { type: "keepLine", sessionId: this.#sessionId, seq, line };
    return this.#bytes <= this.#maxBytes ? [insert] : [insert, this.#makeRoom()];
  }

  /** Adds the sizes of lines from earlier daemons; until they are known, only new lines count. */
  #ask(before: number): void {
    this.#isAsked = true;
    this.#stored().then(
      (stored) => {
        const older = stored.filter(({ seq }) => seq < before).map((size) => this.#counted(size));
        this.#kept = [...older, ...this.#kept];
      },
      // The next line tries again.
      () => {
        this.#isAsked = false;
      },
    );
  }

  #counted({ seq, bytes }: KeptSize): KeptSize {
    const counted = Math.max(bytes, LEAST_BYTES);
    this.#bytes += counted;
    return { seq, bytes: counted };
  }

  #makeRoom(): Write {
    let gone = 0;
    while (gone < this.#kept.length - 1 && this.#bytes > this.#maxBytes * (1 - ROOM))
      this.#bytes -= this.#kept[gone++]?.bytes ?? 0;
    const upTo = this.#kept.splice(0, gone).at(-1)?.seq ?? 0;
    return { type: "dropLines", sessionId: this.#sessionId, upTo };
  }
}
