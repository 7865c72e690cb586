import { expect, test } from "vitest";
import { connectProvider } from "../../src/client.ts";
import { probeModel } from "../../src/probe/probe-model.ts";
import { type Asked, providerAt, serve, stream } from "../serve.ts";

const chunk = (delta: object, finish_reason: string | null = null) =>
  `data: ${JSON.stringify({ choices: [{ delta, finish_reason }] })}\n\n`;
const END = [chunk({}, "stop"), "data: [DONE]\n\n"];

const promptOf = ({ body }: Asked): string => JSON.stringify(body.messages);

const probe = (baseUrl: string, limitMs = 10_000) =>
  probeModel(connectProvider(providerAt(baseUrl)), "test/m", limitMs, new AbortController().signal);

const worksOf = ({ trials }: Awaited<ReturnType<typeof probe>>) =>
  Object.fromEntries(trials.map(({ ability, works, why }) => [ability, works ? true : why]));

test("all abilities of a fully capable model are detected", async () => {
  const { baseUrl } = await serve((response, asked) => {
    if (asked.body.tools) {
      const call = { index: 0, id: "call_1", function: { name: "add", arguments: '{"a":17,"b":25}' } };
      return stream(response, [chunk({ tool_calls: [call] }), chunk({}, "tool_calls"), "data: [DONE]\n\n"]);
    }
    if (promptOf(asked).includes("colour")) return stream(response, [chunk({ content: "Red." }), ...END]);
    const thought = chunk({ reasoning_content: "hm" });
    return stream(response, [thought, chunk({ content: "po" }), chunk({ content: "ng" }), ...END]);
  });
  const found = await probe(baseUrl);
  expect(worksOf(found)).toEqual({
    text: true,
    stream: true,
    "tool call": true,
    image: true,
    thinking: true,
  });
  expect(found.firstTokenMs).toBeGreaterThanOrEqual(0);
});

test("each missing ability is reported with its reason", async () => {
  const { baseUrl } = await serve((response, asked) => {
    if (promptOf(asked).includes("image_url")) {
      response.writeHead(400, { "content-type": "application/json" });
      return response.end(JSON.stringify({ error: { message: "this model does not support images" } }));
    }
    return stream(response, [chunk({ content: "pong" }), ...END]);
  });
  expect(worksOf(await probe(baseUrl))).toEqual({
    text: true,
    stream: "the reply came in one piece",
    "tool call": "it did not call the tool",
    image: expect.stringContaining("does not support images"),
    thinking: "it returned no thinking",
  });
});

test("a model that does not answer is asked only once", async () => {
  const { baseUrl, requests } = await serve(() => {});
  expect(worksOf(await probe(baseUrl, 100))).toEqual({ text: "no reply within 0.1 seconds" });
  expect(requests).toHaveLength(1);
});
