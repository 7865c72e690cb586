import { connect } from "node:http2";
import { connect as connectSocket } from "node:net";
import { WatchRequestSchema } from "@agentwire/api";
import { create, toBinary } from "@bufbuild/protobuf";

const HEAD_BYTES = 5;

/**
 * Watches a session on a separate connection at minimal cost: gRPC without a library, and responses are not decoded.
 *
 * @param {string} socketPath
 * @param {{ sessionId: string, afterSeq?: bigint, client?: string }} request
 * @param {(response: Buffer) => void} onResponse
 */
export function rawWatch(socketPath, request, onResponse) {
  const session = connect("http://daemon", { createConnection: () => connectSocket(socketPath) });
  session.on("error", () => {});
  const stream = session.request({
    ":method": "POST",
    ":path": "/agentwire.v1.SessionService/Watch",
    "content-type": "application/grpc+proto",
    te: "trailers",
  });
  stream.on("error", () => {});
  const body = toBinary(WatchRequestSchema, create(WatchRequestSchema, request));
  const head = Buffer.alloc(HEAD_BYTES);
  head.writeUInt32BE(body.length, 1);
  stream.end(Buffer.concat([head, body]));
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
  return { session, stream };
}
