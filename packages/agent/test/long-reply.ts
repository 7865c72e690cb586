import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { JsonObject } from "@agentwire/protocol";
import { onTestFinished } from "vitest";

/** A Messages API with one long reply, sent no faster than it is read. */
export interface LongReply {
  readonly env: Readonly<Record<string, string>>;
  /** How many deltas have been written to the socket so far. */
  sent(): number;
}

/** The shape of the reply: text blocks, each with a number of deltas. */
export interface Length {
  readonly blocks: number;
  readonly deltasPerBlock: number;
  readonly delta: string;
}

/** Starts the API for the current test. */
export async function startLongReply(length: Length): Promise<LongReply> {
  let sent = 0;
  const server = createServer(async (request, response) => {
    request.resume();
    await once(request, "end");
    if (!request.url?.startsWith("/v1/messages")) return void response.writeHead(404).end();
    response.writeHead(200, { "content-type": "text/event-stream" });
    for (const { text, deltas } of replyOf(length)) {
      if (response.destroyed) return;
      if (!response.write(text)) await roomIn(response);
      sent += deltas;
    }
    response.end();
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { env: { ANTHROPIC_BASE_URL: url, ANTHROPIC_API_KEY: "test-key" }, sent: () => sent };
}

async function roomIn(response: ServerResponse): Promise<void> {
  await new Promise<void>((resolve) => {
    const done = () => {
      response.off("drain", done).off("close", done);
      resolve();
    };
    response.on("drain", done).on("close", done);
  });
}

const BATCH = 256;

function* replyOf({ blocks, deltasPerBlock, delta }: Length) {
  const event = (value: JsonObject) => `event: ${value.type}\ndata: ${JSON.stringify(value)}\n\n`;
  const usage = { input_tokens: 1, output_tokens: 1 };
  const message = {
    id: "msg_long",
    type: "message",
    role: "assistant",
    model: "claude-opus-5-5",
    content: [],
  };
  const start = {
    type: "message_start",
    message: { ...message, stop_reason: null, stop_sequence: null, usage },
  };
  yield { text: event(start), deltas: 0 };
  for (let index = 0; index < blocks; index++) {
    yield {
      text: event({ type: "content_block_start", index, content_block: { type: "text", text: "" } }),
      deltas: 0,
    };
    const one = event({
      type: "content_block_delta",
      index,
      delta: { type: "text_delta", text: delta },
    });
    for (let left = deltasPerBlock; left > 0; left -= BATCH) {
      const deltas = Math.min(left, BATCH);
      yield { text: one.repeat(deltas), deltas };
    }
    yield { text: event({ type: "content_block_stop", index }), deltas: 0 };
  }
  const stop = { type: "message_delta", delta: { stop_reason: "end_turn", stop_sequence: null }, usage };
  yield { text: event(stop), deltas: 0 };
  yield { text: event({ type: "message_stop" }), deltas: 0 };
}
