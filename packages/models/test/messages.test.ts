import { expect, test } from "vitest";
import { ask, prompt, providerAt, serve, stream } from "./serve.ts";

const event = (value: { type: string }) => `event: ${value.type}\ndata: ${JSON.stringify(value)}\n\n`;
const START = event({
  type: "message_start",
  message: { id: "msg_1", type: "message", role: "assistant", model: "m", content: [], usage: {} },
} as { type: string });

test("a provider that speaks the Messages API receives a request unchanged, and its events are passed on unchanged", async () => {
  const { baseUrl, requests } = await serve((response) =>
    stream(response, [
      START,
      event({ type: "ping" }),
      event({ type: "content_block_start", index: 0, content_block: { type: "text", text: "" } } as never),
      event({ type: "content_block_delta", index: 0, delta: { type: "text_delta", text: "hi" } } as never),
      event({ type: "content_block_stop", index: 0 } as never),
      event({
        type: "message_delta",
        delta: { stop_reason: "end_turn", stop_sequence: null },
        usage: { output_tokens: 1 },
      } as never),
      event({ type: "message_stop" }),
    ]),
  );
  const reply = await ask(providerAt(baseUrl.replace(/\/v1$/, ""), { wire: "messages" }));
  expect(reply).toMatchObject({ content: [{ type: "text", text: "hi" }], stopReason: "end_turn" });
  expect(requests[0]).toMatchObject({
    path: "/v1/messages",
    body: { ...prompt(), model: "m", stream: true },
  });
});

test.each([
  [
    "an error in its stream",
    [START, event({ type: "error", error: { type: "overloaded_error", message: "busy" } } as never)],
    "overloaded_error",
  ],
  ["a stream that ends early", [START], "stream_cut"],
])("%s fails the call", async (_, pieces, type) => {
  const { baseUrl } = await serve((response) => stream(response, pieces));
  await expect(ask(providerAt(baseUrl.replace(/\/v1$/, ""), { wire: "messages" }))).rejects.toMatchObject({
    type,
  });
});
