import { once } from "node:events";
import { createServer, type IncomingHttpHeaders, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { ApiEvent, ContentBlock, Usage } from "@agentwire/protocol/messages";
import { onTestFinished } from "vitest";
import { connectProvider } from "../src/client.ts";
import { type Provider, USUAL_QUIRKS } from "../src/providers/provider.ts";
import type { MessagesRequest } from "../src/request.ts";

/** A request that a test's server received. */
export interface Asked {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  // biome-ignore lint/suspicious/noExplicitAny: tests read arbitrary properties
  readonly body: any;
}

/** A server that answers every request as the test specifies, and is closed with the test. */
export async function serve(answer: Parameters<typeof providerServer>[0]) {
  const { close, ...server } = await providerServer(answer);
  onTestFinished(close);
  return server;
}

/** Starts such a server. */
export async function providerServer(
  answer: (response: ServerResponse, asked: Asked, count: number) => void,
) {
  const requests: Asked[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const text = Buffer.concat(chunks).toString();
    const body = text === "" ? undefined : JSON.parse(text);
    const asked = { path: request.url ?? "", headers: request.headers, body };
    requests.push(asked);
    answer(response, asked, requests.length);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const close = () => void server.close().closeAllConnections();
  return { baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`, requests, close };
}

/** Answers with a stream of exactly these pieces. */
export function stream(response: ServerResponse, pieces: readonly (string | Uint8Array)[]): void {
  response.writeHead(200, { "content-type": "text/event-stream" });
  for (const piece of pieces) response.write(piece);
  response.end();
}

/** A provider for a test. */
export const providerAt = (baseUrl: string, more: Partial<Provider> = {}): Provider => ({
  name: "test",
  wire: "chat",
  baseUrl,
  headers: {},
  quirks: USUAL_QUIRKS,
  models: {},
  ...more,
});

/** A request with one prompt. */
export const prompt = (text = "hi", more: Partial<MessagesRequest> = {}): MessagesRequest => ({
  model: "test/m",
  max_tokens: 100,
  messages: [{ role: "user", content: text }],
  ...more,
});

/** An assembled reply; the guarantees that readers of its events rely on have been checked. */
export interface Folded {
  readonly content: readonly ContentBlock[];
  readonly stopReason: string | null;
  readonly usage: Usage;
  readonly events: readonly ApiEvent[];
}

/** Sends a request and assembles the reply; tool inputs that are not JSON remain text. */
export async function ask(provider: Provider, request: MessagesRequest = prompt()): Promise<Folded> {
  const reply = await connectProvider(provider).send(request, AbortSignal.timeout(20_000));
  const events: ApiEvent[] = [];
  for await (const event of reply.events) events.push(event);
  return fold(events);
}

/** Assembles a reply; throws if its events are not one block after the other between a start and a stop event. */
export function fold(events: readonly ApiEvent[]): Folded {
  const content: ContentBlock[] = [];
  let open: { index: number; block: Record<string, unknown>; json: string } | undefined;
  let [stopReason, usage]: [string | null, unknown] = [null, undefined];
  if (events[0]?.type !== "message_start") throw new Error("does not begin");
  if (events.at(-1)?.type !== "message_stop") throw new Error("does not end");
  for (const event of events) {
    if (event.type === "content_block_start") {
      if (open || event.index !== content.length) throw new Error(`block ${event.index} begins out of turn`);
      open = { index: event.index, block: { ...event.content_block }, json: "" };
    }
    if (event.type === "content_block_delta") {
      if (open?.index !== event.index) throw new Error(`a delta for ${event.index} out of turn`);
      const { delta } = event;
      if (delta.type === "text_delta") open.block.text += delta.text;
      if (delta.type === "thinking_delta") open.block.thinking += delta.thinking;
      if (delta.type === "signature_delta") open.block.signature = delta.signature;
      if (delta.type === "input_json_delta") open.json += delta.partial_json;
    }
    if (event.type === "content_block_stop") {
      if (open?.index !== event.index) throw new Error(`block ${event.index} ends out of turn`);
      const { block, json } = open;
      content.push({ ...block, ...(block.type === "tool_use" && { input: inputOf(json) }) } as ContentBlock);
      open = undefined;
    }
    if (event.type === "message_delta") [stopReason, usage] = [event.delta.stop_reason, event.usage];
  }
  if (open) throw new Error("a block does not end");
  return { content, stopReason, usage: usage as Usage, events };
}

function inputOf(json: string): unknown {
  if (json === "") return {};
  try {
    return JSON.parse(json);
  } catch {
    return json;
  }
}
