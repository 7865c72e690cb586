import { fstatSync, writeSync } from "node:fs";
import type { Io } from "../io.ts";

/**
 * Writes lines of a log to stderr. Those that can't be written, as on a full disk, are lost: a stream would be over after its
 * first error, and a file may have room again.
 */
export function logLines({ stderr }: Pick<Io, "stderr">): (line: string) => void {
  if (!fstatSync(stderr.fd).isFile()) return (line) => void stderr.write(line);
  let isWhole = true;
  return (line) => {
    const bytes = Buffer.from(isWhole ? line : `\n${line}`);
    try {
      isWhole = writeSync(stderr.fd, bytes) === bytes.length;
    } catch {
      isWhole = false;
    }
  };
}
