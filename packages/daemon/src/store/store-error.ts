/** The kinds of problems of a store. */
export type StoreErrorCode =
  /** No space is left, on the disk or within a quota. */
  | "full"
  /** The file is damaged. */
  | "corrupt"
  /** The file or its folder can't be written. */
  | "read_only"
  /** The disk fails to read or write. */
  | "io"
  /** The file was deleted or replaced while in use. */
  | "gone"
  /** Another daemon uses it, or another program holds a lock for too long. */
  | "busy"
  /** It belongs to another program, or to a newer daemon. */
  | "foreign"
  /** The server can't be reached, or accepts no writes. */
  | "unreachable"
  /** Another daemon has taken over. */
  | "fenced"
  /** It is closed. */
  | "closed"
  | "failed";

/** The store can't do what was requested; the message says what to do. */
export class StoreError extends Error {
  override readonly name = "StoreError";
  readonly code: StoreErrorCode;

  constructor(code: StoreErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}
