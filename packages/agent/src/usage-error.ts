/** A command line or environment that makes no sense; the text says what to do. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}
