import { writeSync } from "node:fs";
import type { Writable } from "node:stream";

const NOTHING = new Uint8Array(0);

/**
 * Whether nobody reads an output any more. Of a socket, which is what Node gives a child for its output, the system tells that to
 * whoever writes nothing; of a pipe it does not, and there the next line finds out.
 */
export function isReaderGone(output: Writable & { readonly fd?: unknown }): boolean {
  if (output.destroyed) return true;
  if (typeof output.fd !== "number") return false;
  try {
    writeSync(output.fd, NOTHING);
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPIPE";
  }
}
