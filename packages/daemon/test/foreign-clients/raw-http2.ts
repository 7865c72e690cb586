import { once } from "node:events";
import { readFileSync } from "node:fs";
import {
  type ClientHttp2Session,
  type ClientHttp2Stream,
  connect,
  constants,
  type IncomingHttpHeaders,
} from "node:http2";
import { connect as connectSocket } from "node:net";
import {
  type Call,
  type ForeignClient,
  framed,
  fromBytes,
  type Outcome,
  type Place,
  toldBy,
  unframed,
} from "./call.ts";

/** gRPC to the letter of its specification, over bare HTTP/2: it notices faults that more tolerant clients accept. */
export function rawHttp2(): ForeignClient {
  const sessions = new Map<string, ClientHttp2Session>();
  const sessionTo = ({ url, socketPath, ca }: Place) => {
    const session =
      sessions.get(url.href) ??
      connect(url.origin, {
        ...(socketPath !== undefined && { createConnection: () => connectSocket(socketPath) }),
        ...(ca !== undefined && { ca: readFileSync(ca) }),
      });
    sessions.set(url.href, session);
    return session;
  };
  return {
    name: "bare HTTP/2",
    async call(place, call) {
      const stream = sessionTo(place).request({
        ":method": "POST",
        ":path": call.path,
        "content-type": call.contentType ?? "application/grpc",
        te: "trailers",
        ...(call.host !== undefined && { ":authority": call.host }),
        ...(call.token !== undefined && { authorization: `Bearer ${call.token}` }),
        ...(call.timeoutMs !== undefined && { "grpc-timeout": `${call.timeoutMs}m` }),
      });
      stream.end(Buffer.concat(call.bytes.map(framed)));
      return outcome(stream, call);
    },
    close: () => {
      for (const session of sessions.values()) session.close();
    },
  };
}

async function outcome(stream: ClientHttp2Stream, call: Call): Promise<Outcome> {
  const chunks: Buffer[] = [];
  let trailers: IncomingHttpHeaders | undefined;
  stream.on("data", (chunk: Buffer) => chunks.push(chunk));
  stream.on("trailers", (got) => {
    trailers = got;
  });
  const [headers, flags] = (await once(stream, "response")) as [
    IncomingHttpHeaders & { ":status"?: number },
    number,
  ];
  if (!stream.closed) await once(stream, "close");
  const body = Buffer.concat(chunks);
  if (headers[":status"] !== 200) return { ...toldBy(JSON.parse(body.toString())), answers: [] };
  // Without trailers the headers serve as trailers, but only if the stream ends with them.
  const isTrailersOnly = (flags & constants.NGHTTP2_FLAG_END_STREAM) !== 0;
  const end = isTrailersOnly ? headers : trailers;
  if (!isTrailersOnly && "grpc-status" in headers)
    throw new Error("there is a status in headers that end nothing");
  if (end?.["grpc-status"] === undefined) throw new Error("the stream has ended without a status");
  return {
    code: Number(end["grpc-status"]),
    text: unescaped(String(end["grpc-message"] ?? "")),
    answers: unframed(body).map(({ data }) => fromBytes(call, data)),
  };
}

/** Unescapes a message, and checks that nothing was escaped needlessly. */
function unescaped(message: string): string {
  const text = decodeURIComponent(message);
  if (/%(?:[3-6][0-9A-F]|2[0-46-F]|7[0-9A-E])/.test(message)) throw new Error(`escaped too much: ${message}`);
  return text;
}
