import { finished, type Readable } from "node:stream";

/**
 * Calls `take` with each chunk of a stream as it arrives, and waits for the returned promise before the next
 * one. Resolves at the end of the stream, rejects if it breaks off. Uses events instead of `for await`, whose
 * promise per chunk is expensive for long lines.
 */
export function eachChunk(
  input: Readable,
  take: (chunk: Uint8Array) => Promise<void> | undefined,
): Promise<void> {
  return new Promise((resolve, reject) => {
    /** The end of a stream may be reported while the last chunk is still being processed. */
    let waiting: Promise<void> | undefined;
    const fail = (cause: unknown) => {
      reject(cause);
      input.destroy();
    };
    const onData = (chunk: Uint8Array) => {
      try {
        waiting = take(chunk);
        if (!waiting) return;
        input.pause();
        waiting.then(() => input.resume(), fail);
      } catch (cause) {
        fail(cause);
      }
    };
    finished(input, { writable: false }, (error) => {
      if (error) reject(error);
      else if (waiting) waiting.then(resolve, reject);
      else resolve();
    });
    input.on("data", onData);
    // An earlier reader may have paused it.
    input.resume();
  });
}
