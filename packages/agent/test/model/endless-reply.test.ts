import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { ModelError } from "@agentwire/models";
import { expect, onTestFinished, test } from "vitest";
import { anthropicModel } from "../../src/model/anthropic.ts";

/** Returns the failure of a reply that a server writes with `write`, repeatedly, as long as the client reads. */
async function failureOf(first: string, again: string): Promise<unknown> {
  const server = createServer((_request, response) => {
    response.writeHead(200, { "content-type": "text/event-stream" });
    response.write(first);
    // Ends when the client stops reading.
    pipeline(Readable.from(endless(again)), response).catch(() => {});
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close().closeAllConnections());
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const call = { model: "m", system: [], messages: [], tools: [], maxTokens: 10 };
  const reply = await anthropicModel({ baseUrl, apiKey: "key" }).call(call, new AbortController().signal);
  try {
    for await (const _ of reply.events);
    return undefined;
  } catch (error) {
    return error;
  }
}

function* endless(text: string): Generator<string> {
  const chunk = text.repeat(Math.ceil(1_000_000 / text.length));
  for (;;) yield chunk;
}

test.each([
  ["line", "data: ", "x"],
  ["event of many lines", "", "data: x\n"],
  ["comment", ":", "x"],
])(
  "an endless %s ends with an error that says what to check, and is not retried",
  async (_what, first, again) => {
    const before = process.memoryUsage().rss;
    const failure = await failureOf(first, again);
    expect(failure).toBeInstanceOf(ModelError);
    expect(failure).toMatchObject({ type: "reply_too_large", isFinal: true });
    expect((failure as Error).message).toMatch(/more than 32 MB.*ANTHROPIC_BASE_URL/);
    expect(process.memoryUsage().rss - before).toBeLessThan(400 * 1024 * 1024);
  },
);
