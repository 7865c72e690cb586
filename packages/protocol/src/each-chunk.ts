import { finished, type Readable } from "node:stream";

/**
 * Calls `take` with each chunk of a stream as it comes; what it returns is waited for before the next one. Resolves at the end of
 * the stream, rejects if it breaks off. Events in place of `for await`, whose promises for each chunk are dear in long lines.
 */
export function eachChunk(
  input: Readable,
  take: (chunk: Uint8Array) => Promise<void> | undefined,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const fail = (cause: unknown) => {
      reject(cause);
      input.destroy();
    };
    const onData = (chunk: Uint8Array) => {
      try {
        const wait = take(chunk);
        if (!wait) return;
        input.pause();
        wait.then(() => input.resume(), fail);
      } catch (cause) {
        fail(cause);
      }
    };
    finished(input, { writable: false }, (error) => (error ? reject(error) : resolve()));
    input.on("data", onData);
  });
}
