import { WatchResponseSchema } from "@agentwire/api";
import { fromBinary } from "@bufbuild/protobuf";
import { rawWatch } from "./raw-watch.mjs";

/**
 * Watches a session at minimal cost, so that the daemon is measured. `onResponse` gets each message undecoded, and `onOpen` is called
 * when the daemon has accepted the request. A watcher that does not read lets everything pile up.
 */
export function watch(
  socketPath,
  sessionId,
  onResponse,
  { reads = true, afterSeq = 0n, onOpen = () => {} } = {},
) {
  const request = { sessionId, afterSeq, client: "bench" };
  const { session, stream } = rawWatch(socketPath, request, onResponse);
  stream.once("response", onOpen);
  if (!reads) stream.pause();
  return () => session.destroy();
}

/** The number of events in a response, without decoding them: field 1, with a length. */
export function countEvents(bytes) {
  let count = 0;
  let at = 0;
  while (at < bytes.length && bytes[at] === 0x0a) {
    let length = 0;
    let shift = 0;
    at++;
    for (; bytes[at] >= 0x80; shift += 7) length += (bytes[at++] & 0x7f) * 2 ** shift;
    length += bytes[at++] * 2 ** shift;
    at += length;
    count++;
  }
  return count;
}

export const decode = (bytes) => fromBinary(WatchResponseSchema, bytes);

/** Resolves with the number of events up to the one that ends the turn. */
export function untilTurnEnds(socketPath, sessionId, afterSeq) {
  return new Promise((resolve) => {
    let count = 0;
    const take = (bytes) => {
      count += countEvents(bytes);
      // Only the last responses are small enough to be decoded.
      if (!bytes.includes("done")) return;
      if (!decode(bytes).events.some(({ body }) => body.case === "turnComplete")) return;
      stop();
      resolve(count);
    };
    const stop = watch(socketPath, sessionId, take, { afterSeq });
  });
}
