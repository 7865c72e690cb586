import type { Readable } from "node:stream";

/** How long a pipe whose process has ended must be empty before we assume that another process holds its other end. */
const QUIET_MS = 500;
const LOOK_MS = 50;

/** After so many looks at a pipe that still carries data, everything that a local process left in it has long been read. */
const MOST_LOOKS = 40;

/**
 * Resolves when a stream of a process that has exited is read to its end. A grandchild may keep the other end open for ever, and even
 * write to it: then the stream is ended from our side. It is left alone while a slow reader has not emptied it, and, if the process ran
 * on another machine, while output still arrives.
 */
export function endOfOutput(stream: Readable, isLocal: boolean): Promise<void> {
  if (stream.readableEnded || stream.destroyed) return Promise.resolve();
  return new Promise((resolve) => {
    let quietSince = performance.now();
    let looks = 0;
    const heard = () => {
      quietSince = performance.now();
    };
    const look = setInterval(() => {
      if (stream.readableLength > 0 || stream.isPaused()) {
        heard();
        return;
      }
      looks++;
      const isQuiet = performance.now() - quietSince >= QUIET_MS;
      if (!isQuiet && !(isLocal && looks >= MOST_LOOKS)) return;
      clearInterval(look);
      stream.push(null);
    }, LOOK_MS);
    const done = () => {
      clearInterval(look);
      stream.destroy();
      resolve();
    };
    stream.on("data", heard);
    stream.on("end", done);
    stream.on("close", done);
    stream.on("error", done);
  });
}
