const MISSING: ReadonlySet<unknown> = new Set(["ENOENT", "ENOTDIR"]);

/** The outcome of work on a file, or undefined when there is no such file. */
export async function unlessMissing<T>(work: Promise<T>): Promise<T | undefined> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof Error && "code" in error && MISSING.has(error.code)) return undefined;
    throw error;
  }
}
