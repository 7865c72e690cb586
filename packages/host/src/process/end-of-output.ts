import type { Readable } from "node:stream";

/** How long a pipe must be empty after its process has ended before we assume that another process holds its other end. */
const QUIET_MS = 500;
const CHECK_MS = 50;

/** After this many checks of a pipe that still carries data, everything that a local process left in it has long been read. */
const MAX_CHECKS = 40;

/**
 * Resolves when the stream of an exited process has been read to its end. A grandchild may keep the other end open forever, and even
 * write to it: the stream is then ended from this side. It is left alone until a slow reader has emptied it and, if the process ran
 * on another machine, while output still arrives.
 */
export function endOfOutput(stream: Readable, isLocal: boolean): Promise<void> {
  if (stream.readableEnded || stream.destroyed) return Promise.resolve();
  return new Promise((resolve) => {
    let quietSince = performance.now();
    let checks = 0;
    const onData = () => {
      quietSince = performance.now();
    };
    const timer = setInterval(() => {
      if (stream.readableLength > 0 || stream.isPaused()) {
        onData();
        return;
      }
      checks++;
      const isQuiet = performance.now() - quietSince >= QUIET_MS;
      if (!isQuiet && !(isLocal && checks >= MAX_CHECKS)) return;
      clearInterval(timer);
      stream.push(null);
    }, CHECK_MS);
    const done = () => {
      clearInterval(timer);
      stream.destroy();
      resolve();
    };
    stream.on("data", onData);
    stream.on("end", done);
    stream.on("close", done);
    stream.on("error", done);
  });
}
