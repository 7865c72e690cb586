import { WatchResponseSchema } from "@agentwire/api";
import { fromBinary } from "@bufbuild/protobuf";
import { rawWatch } from "./raw-watch.mjs";

/**
 * Watches a session, so that what is measured is the daemon; `onResponse` gets each message undecoded, `onOpen` is called when the
 * daemon has taken the request. One that does not read leaves everything to pile up.
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

/** How many events a response holds, without decoding them: field 1, with a length. */
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

/** Resolves with how many events came until one of them ends the turn. */
export function untilTurnEnds(socketPath, sessionId, afterSeq) {
  return new Promise((resolve) => {
    let count = 0;
    const take = (bytes) => {
      count += countEvents(bytes);
      // Only the last responses are small enough to be worth a look.
      if (!bytes.includes("done")) return;
      if (!decode(bytes).events.some(({ body }) => body.case === "turnComplete")) return;
      stop();
      resolve(count);
    };
    const stop = watch(socketPath, sessionId, take, { afterSeq });
  });
}
