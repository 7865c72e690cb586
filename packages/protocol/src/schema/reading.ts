import { closest } from "../closest.ts";
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

/** A value that does not fit, in something that has to fit as it stands. */
export interface Fault {
  /** Where, as in `daemon.listen[0].port`; empty for the whole. */
  readonly path: string;
  /** What is expected there, in words. */
  readonly expected: string;
  /** What stands there; undefined where nothing does. */
  readonly given: unknown;
}

/** A key that a schema does not know. */
export interface UnknownKey {
  readonly path: string;
  /** The path of the known key that was probably meant. */
  readonly meant: string | undefined;
}

/** The slow pass over one message: knows where it is and remembers what it repaired. */
export class Reading {
  /** Nothing is repaired: the first thing that does not fit is a fault. */
  readonly isStrict: boolean;
  fault: Fault | undefined;
  readonly unknownKeys: UnknownKey[] = [];
  readonly repairs: Repair[] = [];
  /** Why the message could not be read at all, said at the innermost place. */
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

  /** Notes that a value does not fit; the first one that is noted, the innermost, is kept. */
  unfit(expected: string, given: unknown): void {
    this.fault ??= { path: this.#spelledPath, expected, given };
  }

  /** Notes a key that the schema of the present place does not know. */
  unknownKey(key: string, known: readonly string[]): void {
    const spelled = (name: string) => this.under(name, () => this.#spelledPath);
    const meant = closest(key, known);
    this.unknownKeys.push({ path: spelled(key), meant: meant === undefined ? undefined : spelled(meant) });
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

  /** The path as a person writes it, with list positions in brackets. */
  get #spelledPath(): string {
    const parts = this.#path.map((key) => (typeof key === "number" ? `[${key}]` : `.${key}`));
    return parts.join("").replace(/^\./, "");
  }
}
