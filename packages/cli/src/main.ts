/** Runs the program; resolves to its exit code. */
export async function main(_argv: readonly string[]): Promise<number> {
  return 0;
}
