import type { Readable } from "node:stream";

/** How long a pipe whose process has gone must have been empty before somebody else is taken to hold its other end. */
const QUIET_MS = 500;
const LOOK_MS = 50;

/**
 * Resolves when a stream of a process that has gone is read to its end. A grandchild may hold the other end for ever: an
 * empty pipe is then ended from our side. One that a slow reader has not emptied yet is left alone.
 */
export function endOfOutput(stream: Readable): Promise<void> {
  if (isOver(stream)) return Promise.resolve();
  return new Promise((resolve) => {
    let seen = bytesOf(stream);
    let quietSince = performance.now();
    const look = setInterval(() => {
      const bytes = bytesOf(stream);
      if (bytes !== seen || stream.readableLength > 0 || stream.isPaused()) {
        seen = bytes;
        quietSince = performance.now();
      } else if (performance.now() - quietSince >= QUIET_MS) {
        clearInterval(look);
        stream.push(null);
      }
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
