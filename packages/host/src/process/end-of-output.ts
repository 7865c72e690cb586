import type { Readable } from "node:stream";

/** How long a pipe whose process has gone must have been empty before somebody else is taken to hold its other end. */
const QUIET_MS = 500;
const LOOK_MS = 50;

/** After so many looks at a stream that flows, all that a process which has gone left in it has been read long since. */
const MOST_LOOKS = 40;

/**
 * Resolves when a stream of a process that has gone is read to its end. A grandchild may hold the other end for ever, and even write to
 * it: the stream is then ended from our side. One that a slow reader has not emptied yet is left alone.
 */
export function endOfOutput(stream: Readable): Promise<void> {
  if (isOver(stream)) return Promise.resolve();
  return new Promise((resolve) => {
    let seen = bytesOf(stream);
    let quietSince = performance.now();
    let looks = 0;
    const look = setInterval(() => {
      const bytes = bytesOf(stream);
      const waits = stream.readableLength > 0 || stream.isPaused();
      if (waits || bytes !== seen) quietSince = performance.now();
      if (!waits) looks++;
      seen = bytes;
      if (looks < MOST_LOOKS && performance.now() - quietSince < QUIET_MS) return;
      clearInterval(look);
      stream.push(null);
    }, LOOK_MS);
    const done = () => {
      clearInterval(look);
      stream.destroy();
      resolve();
    };
    stream.on("end", done);
    stream.on("close", done);
    stream.on("error", done);
  });
}

const isOver = (stream: Readable) => stream.readableEnded || stream.destroyed;

const bytesOf = (stream: Readable) =>
  "bytesRead" in stream && typeof stream.bytesRead === "number" ? stream.bytesRead : 0;
