import { UNREADABLE } from "./schema.ts";

/** Something the tolerant reader put right in a message, so that nothing is changed in silence. */
export interface Repair {
  /** Where, as in `usage.input_tokens`. */
  readonly path: string;
  /**
   * `coerced`: another spelling of the same value; `defaulted`: missing or unreadable, the default stands in;
   * `dropped`: unreadable and optional; `unknown`: a variant newer than this reader, kept as it is.
   */
  readonly kind: "coerced" | "defaulted" | "dropped" | "unknown";
  /** What stood there. */
  readonly was: unknown;
}

/** A hostile line must not buy memory with a million faults; the first ones say enough. */
const MAX_REPAIRS = 100;

/** The slow pass over one message: knows where it is and remembers what it repaired. */
export class Reading {
  readonly repairs: Repair[] = [];
  /** Why the message could not be read at all, said at the innermost place. */
  failure: string | undefined;
  readonly #path: (string | number)[] = [];

  /** Runs `read` one level down, under `key`. */
  under<T>(key: string | number, read: () => T): T {
    this.#path.push(key);
    try {
      return read();
    } finally {
      this.#path.pop();
    }
  }

  /** Notes a repair at the present place. */
  repaired(kind: Repair["kind"], was: unknown): void {
    if (this.repairs.length < MAX_REPAIRS) this.repairs.push({ path: this.path, kind, was });
  }

  /** Notes what makes the whole unreadable; the first reason is the telling one. */
  failed(reason: string): void {
    this.failure ??= `${this.path} ${reason}`;
  }

  /** Tries one of several ways to read; a way that fails leaves no repairs and no failure behind. */
  attempt<T>(read: () => T | typeof UNREADABLE): T | typeof UNREADABLE {
    const repairs = this.repairs.length;
    const { failure } = this;
    const readable = read();
    if (readable === UNREADABLE) {
      this.repairs.length = repairs;
      this.failure = failure;
    }
    return readable;
  }

  get path(): string {
    return this.#path.join(".");
  }
}
