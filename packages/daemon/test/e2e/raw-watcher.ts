import { connect } from "node:http2";
import { connect as connectSocket } from "node:net";
import { WatchRequestSchema, type WatchResponse, WatchResponseSchema } from "@agentwire/api";
import { create, fromBinary, toBinary } from "@bufbuild/protobuf";

const HEAD_BYTES = 5;

/** A client on a connection of its own, which speaks gRPC by hand. */
export interface RawWatcher {
  /** Reads no more, so that the daemon can't send. */
  pause(): void;
  resume(): void;
  leave(): void;
}

/** Watches a session after a number. */
export function watchRaw(
  socketPath: string,
  sessionId: string,
  afterSeq: bigint,
  onResponse: (response: WatchResponse) => void,
): RawWatcher {
  const session = connect("http://daemon", { createConnection: () => connectSocket(socketPath) });
  session.on("error", () => {});
  const stream = session.request({
    ":method": "POST",
    ":path": "/agentwire.v1.SessionService/Watch",
    "content-type": "application/grpc+proto",
    te: "trailers",
  });
  const request = toBinary(WatchRequestSchema, create(WatchRequestSchema, { sessionId, afterSeq }));
  const head = Buffer.alloc(HEAD_BYTES);
  head.writeUInt32BE(request.length, 1);
  stream.end(Buffer.concat([head, request]));
  let held: Buffer = Buffer.alloc(0);
  stream.on("data", (chunk: Buffer) => {
    held = held.length === 0 ? chunk : Buffer.concat([held, chunk]);
    let at = 0;
    while (held.length - at >= HEAD_BYTES) {
      const end = at + HEAD_BYTES + held.readUInt32BE(at + 1);
      if (end > held.length) break;
      onResponse(fromBinary(WatchResponseSchema, held.subarray(at + HEAD_BYTES, end)));
      at = end;
    }
    held = held.subarray(at);
  });
  stream.on("error", () => {});
  return {
    pause: () => void stream.pause(),
    resume: () => void stream.resume(),
    leave: () => session.destroy(),
  };
}
