/** What may be wrong with the store. */
export type StoreErrorCode =
  /** No space is left: on the disk, or of what may be used of it. */
  | "full"
  /** The file is damaged. */
  | "corrupt"
  /** The file or its folder can't be written. */
  | "read_only"
  /** The disk fails to read or to write. */
  | "io"
  /** The file was deleted or replaced while it is used. */
  | "gone"
  /** Another daemon uses it, or another program holds a lock for too long. */
  | "busy"
  /** It belongs to another program, or to a newer daemon. */
  | "foreign"
  /** The server can't be reached, or takes nothing. */
  | "unreachable"
  /** Another daemon has taken over. */
  | "fenced"
  /** It is closed. */
  | "closed"
  | "failed";

/** Why the store can't do what it was asked; the text says what to do. */
export class StoreError extends Error {
  override readonly name = "StoreError";
  readonly code: StoreErrorCode;

  constructor(code: StoreErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}
