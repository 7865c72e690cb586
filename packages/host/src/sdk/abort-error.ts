/** Thrown to whoever reads a query that its own `abortController` ended. */
export class AbortError extends Error {
  override readonly name: string = "AbortError";
}
