import { once } from "node:events";
import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";
import { crc32 } from "node:zlib";

/** What a cloud was sent. */
export interface Asked {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

/** How a cloud frames the events of a stream. */
export interface Framing {
  readonly contentType: string;
  frame(event: { readonly type: string }): string | Uint8Array;
}

export const SERVER_SENT: Framing = {
  contentType: "text/event-stream",
  frame: (event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`,
};

/** AWS's event stream: lengths, headers, payload and checksums, with each event of the model in base64. */
export const AWS_FRAMES: Framing = {
  contentType: "application/vnd.amazon.eventstream",
  frame: (event) => {
    const bytes = Buffer.from(JSON.stringify(event)).toString("base64");
    return awsMessage(
      { ":event-type": "chunk", ":content-type": "application/json", ":message-type": "event" },
      { bytes },
    );
  },
};

/** One message of AWS's event stream. */
export function awsMessage(headers: Readonly<Record<string, string>>, payload: object): Buffer {
  const head = Buffer.concat(
    Object.entries(headers).flatMap(([name, value]) => {
      const length = Buffer.alloc(2);
      length.writeUInt16BE(value.length);
      // 7 is the type code of strings.
      return [Buffer.from([name.length]), Buffer.from(name), Buffer.from([7]), length, Buffer.from(value)];
    }),
  );
  const body = Buffer.from(JSON.stringify(payload));
  const prelude = word(4 + 4 + 4 + head.length + body.length + 4, head.length);
  const message = Buffer.concat([prelude, word(crc32(prelude)), head, body]);
  return Buffer.concat([message, word(crc32(message))]);
}

function word(...values: readonly number[]): Buffer {
  const bytes = Buffer.alloc(4 * values.length);
  for (const [i, value] of values.entries()) bytes.writeUInt32BE(value >>> 0, 4 * i);
  return bytes;
}

/** What the server does with a request: answers it, or returns the pieces of a stream. */
export type Answer = (
  asked: Asked,
  count: number,
) =>
  | { readonly status: number; readonly body: object; readonly type?: string }
  | AsyncIterable<string | Uint8Array>;

/** A server that stands in for a cloud. */
export async function startCloud({ contentType }: Framing, answer: Answer) {
  const requests: Asked[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const asked = {
      path: request.url ?? "",
      headers: request.headers,
      text: Buffer.concat(chunks).toString(),
    };
    requests.push(asked);
    const said = answer(asked, requests.length);
    if ("status" in said) {
      response.writeHead(said.status, {
        "content-type": "application/json",
        ...(said.type && { "x-amzn-errortype": said.type }),
      });
      response.end(JSON.stringify(said.body));
      return;
    }
    response.writeHead(200, { "content-type": contentType, "x-amzn-requestid": `aws-${requests.length}` });
    for await (const piece of said) response.write(piece);
    response.end();
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    close: () => void server.close().closeAllConnections(),
  };
}

/** A reply of the model as its events: text in the given pieces, or a tool call. */
export function* replyEvents(content: readonly string[] | { readonly name: string; readonly input: object }) {
  const usage = {
    input_tokens: 10,
    output_tokens: 5,
    cache_creation_input_tokens: 0,
    cache_read_input_tokens: 0,
  };
  const message = { id: "msg_1", type: "message", role: "assistant", model: "claude-opus-5-5", content: [] };
  yield { type: "message_start", message: { ...message, stop_reason: null, stop_sequence: null, usage } };
  if ("name" in content) {
    const block = { type: "tool_use", id: "toolu_1", name: content.name, input: {} };
    yield { type: "content_block_start", index: 0, content_block: block };
    const delta = { type: "input_json_delta", partial_json: JSON.stringify(content.input) };
    yield { type: "content_block_delta", index: 0, delta };
  } else {
    yield { type: "content_block_start", index: 0, content_block: { type: "text", text: "" } };
    for (const text of content)
      yield { type: "content_block_delta", index: 0, delta: { type: "text_delta", text } };
  }
  yield { type: "content_block_stop", index: 0 };
  const stop_reason = "name" in content ? "tool_use" : "end_turn";
  yield { type: "message_delta", delta: { stop_reason, stop_sequence: null }, usage };
  yield { type: "message_stop" };
}
