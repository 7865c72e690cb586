import { EXIT_CODES } from "@agentwire/protocol/support";

/** Prints a text to stdout; returns the exit code for success. */
export function print(text: string): number {
  process.stdout.write(text);
  return EXIT_CODES.done;
}
