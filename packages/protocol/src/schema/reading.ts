import { closest } from "../closest.ts";
import { UNREADABLE } from "./schema.ts";

/** A repair that the tolerant reader made to a message, so that nothing is changed silently. */
export interface Repair {
  /** The path, such as `usage.input_tokens`. */
  readonly path: string;
  /**
   * `coerced`: another spelling of the same value; `defaulted`: missing or unreadable, replaced by the
   * default; `dropped`: unreadable and optional; `unknown`: a variant newer than this reader, kept unchanged.
   */
  readonly kind: "coerced" | "defaulted" | "dropped" | "unknown";
  /** The original value. */
  readonly was: unknown;
}

/** A hostile line must not use up memory with a million faults; the first ones are enough. */
const MAX_REPAIRS = 100;

/** A value that does not fit in a strict reading. */
export interface Fault {
  /** The path, such as `daemon.listen[0].port`; empty for the whole value. */
  readonly path: string;
  /** A description of the expected value. */
  readonly expected: string;
  /** The value found; undefined if there is none. */
  readonly given: unknown;
}

/** A key that a schema does not know. */
export interface UnknownKey {
  readonly path: string;
  /** The path of the known key that was probably meant. */
  readonly meant: string | undefined;
}

/** The slow pass over one message; keeps track of its path and of the repairs. */
export class Reading {
  /** Strict: nothing is repaired, and the first value that does not fit is a fault. */
  readonly isStrict: boolean;
  fault: Fault | undefined;
  readonly unknownKeys: UnknownKey[] = [];
  readonly repairs: Repair[] = [];
  /** Why the message could not be read at all, from the innermost place. */
  failure: string | undefined;
  readonly #path: (string | number)[] = [];

  constructor({ isStrict = false } = {}) {
    this.isStrict = isStrict;
  }

  /** Runs `read` one level down, under `key`. */
  under<T>(key: string | number, read: () => T): T {
    this.#path.push(key);
    try {
      return read();
    } finally {
      this.#path.pop();
    }
  }

  /** Notes a value that does not fit; only the first, which is the innermost, is kept. */
  unfit(expected: string, given: unknown): void {
    this.fault ??= { path: this.#spelledPath, expected, given };
  }

  /** Notes a key that the schema at the current path does not know. */
  unknownKey(key: string, known: readonly string[]): void {
    const spelled = (name: string) => this.under(name, () => this.#spelledPath);
    const meant = closest(key, known);
    this.unknownKeys.push({ path: spelled(key), meant: meant === undefined ? undefined : spelled(meant) });
  }

  /** Notes a repair at the current path. */
  repaired(kind: Repair["kind"], was: unknown): void {
    if (this.repairs.length < MAX_REPAIRS) this.repairs.push({ path: this.path, kind, was });
  }

  /** Notes what makes the whole message unreadable; the first reason is the relevant one. */
  failed(reason: string): void {
    this.failure ??= `${this.path} ${reason}`;
  }

  /** Tries one of several ways to read; a failed attempt leaves no repairs and no failure behind. */
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

  /** The path as a person would write it, with list indexes in brackets. */
  get #spelledPath(): string {
    const parts = this.#path.map((key) => (typeof key === "number" ? `[${key}]` : `.${key}`));
    return parts.join("").replace(/^\./, "");
  }
}
