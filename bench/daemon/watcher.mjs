import { connect } from "node:http2";
import { connect as connectSocket } from "node:net";
import { WatchRequestSchema, WatchResponseSchema } from "@agentwire/api";
import { create, fromBinary, toBinary } from "@bufbuild/protobuf";

const HEAD_BYTES = 5;

/**
 * Watches a session as cheaply as can be, so that what is measured is the daemon; `onResponse` gets each message undecoded, `onOpen` is
 * called when the daemon has taken the request. One that does not read leaves everything to pile up.
 */
export function watch(
  socketPath,
  sessionId,
  onResponse,
  { reads = true, afterSeq = 0n, onOpen = () => {} } = {},
) {
  const session = connect("http://daemon", { createConnection: () => connectSocket(socketPath) });
  session.on("error", () => {});
  const stream = session.request({
    ":method": "POST",
    ":path": "/agentwire.v1.SessionService/Watch",
    "content-type": "application/grpc+proto",
    te: "trailers",
  });
  const request = Buffer.from(
    toBinary(WatchRequestSchema, create(WatchRequestSchema, { sessionId, afterSeq, client: "bench" })),
  );
  const head = Buffer.alloc(HEAD_BYTES);
  head.writeUInt32BE(request.length, 1);
  stream.end(Buffer.concat([head, request]));
  let held = Buffer.alloc(0);
  stream.on("data", (chunk) => {
    held = held.length === 0 ? chunk : Buffer.concat([held, chunk]);
    let at = 0;
    while (held.length - at >= HEAD_BYTES) {
      const end = at + HEAD_BYTES + held.readUInt32BE(at + 1);
      if (end > held.length) break;
      onResponse(held.subarray(at + HEAD_BYTES, end));
      at = end;
    }
    held = held.subarray(at);
  });
  stream.on("error", () => {});
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
