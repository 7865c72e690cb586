import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { createInterface } from "node:readline";
import type { Readable } from "node:stream";
import { afterAll, beforeAll, expect, test } from "vitest";
import { Home } from "./home.ts";

let home: Home;
let provider: Server;
let env: NodeJS.ProcessEnv;

beforeAll(async () => {
  home = new Home();
  provider = createServer((request, response) => {
    if (request.method === "GET") return response.end(JSON.stringify({ data: [{ id: "tiny" }] }));
    response.writeHead(200, { "content-type": "text/event-stream" });
    return response.end(
      'data: {"choices":[{"delta":{"content":"hello"},"finish_reason":"stop"}]}\n\ndata: [DONE]\n\n',
    );
  }).listen(0, "127.0.0.1");
  await once(provider, "listening");
  const baseUrl = `http://127.0.0.1:${(provider.address() as AddressInfo).port}/v1`;
  env = { AGENTWIRE_PROVIDERS: JSON.stringify({ mine: { baseUrl } }) };
});

afterAll(async () => {
  provider.close();
  provider.closeAllConnections();
  await home.end();
});

test("gateway prints its URL, answers clients with its token, logs each call, and exits cleanly", async () => {
  await home.run(["daemon", "start"], "", env);
  const child = home.start(["gateway", "--model", "mine/tiny", "--port", "0", "--json"], env);
  const lines = createInterface(child.stdout as Readable)[Symbol.asyncIterator]();
  const { url, token, providers } = JSON.parse((await lines.next()).value);
  expect(providers).toEqual(["mine"]);
  const response = await fetch(`${url}/v1/messages`, {
    method: "POST",
    headers: { authorization: `Bearer ${token}` },
    body: JSON.stringify({
      model: "claude-sonnet-5",
      max_tokens: 10,
      messages: [{ role: "user", content: "hi" }],
    }),
  });
  expect(await response.json()).toMatchObject({
    model: "mine/tiny",
    content: [{ type: "text", text: "hello" }],
  });
  expect(JSON.parse((await lines.next()).value)).toMatchObject({ model: "mine/tiny", status: 200 });
  const taken = await home.run(["gateway", "--port", new URL(url).port], "", env);
  expect(taken).toMatchObject({ code: 1, stderr: expect.stringContaining("is in use") });
  child.kill("SIGINT");
  expect(await once(child, "close")).toEqual([0, null]);
  const { rows } = JSON.parse((await home.run(["usage", "--by", "model", "--json"])).stdout);
  expect(rows).toMatchObject([{ key: "mine/tiny", usage: { costIncomplete: true } }]);
}, 60_000);

test("gateway says if the provider of its model does not answer", async () => {
  const providers = { off: { baseUrl: "http://127.0.0.1:1/v1" } };
  const child = home.start(["gateway", "--model", "off/any", "--port", "0"], {
    AGENTWIRE_PROVIDERS: JSON.stringify(providers),
  });
  const [line] = await once(createInterface(child.stderr as Readable), "line");
  expect(line).toBe(
    "agentwire gateway: could not reach off at http://127.0.0.1:1/v1: nothing is listening there. Start it, or choose another model",
  );
  child.kill("SIGINT");
  expect(await once(child, "close")).toEqual([0, null]);
}, 60_000);

test("models lists reachable models, and tests one", async () => {
  const listed = await home.run(["models", "--provider", "mine", "--json"], "", env);
  expect(JSON.parse(listed.stdout).models).toEqual([{ name: "mine/tiny", provider: "mine" }]);
  const tested = await home.run(["models", "test", "mine/tiny", "--json"], "", env);
  expect(tested.code).toBe(1);
  const { suits, firstTokenMs, trials } = JSON.parse(tested.stdout);
  expect([suits, typeof firstTokenMs]).toEqual([false, "number"]);
  expect(trials.map(({ ability }: { ability: string }) => ability)).toEqual([
    "text",
    "stream",
    "tool call",
    "image",
    "thinking",
  ]);
  const chosen = {
    ANTHROPIC_MODEL: "mine/huge",
    ANTHROPIC_DEFAULT_HAIKU_MODEL: "mine/tiny",
    CLAUDE_CODE_SUBAGENT_MODEL: "nosuch/x",
  };
  const { stdout } = await home.run(["doctor"], "", { ...env, ...chosen });
  expect(stdout).toMatch(/^ok +models: mine: 1 at http:/m);
  expect(stdout).toMatch(/^warning +models: ANTHROPIC_MODEL: mine does not list a model huge$/m);
  expect(stdout).toMatch(/^warning +models: CLAUDE_CODE_SUBAGENT_MODEL: There is no provider nosuch/m);
  expect(stdout).not.toContain("ANTHROPIC_DEFAULT_HAIKU_MODEL");
}, 60_000);

test("gateway refuses a model of an unknown provider by name", async () => {
  const { code, stderr } = await home.run(["gateway", "--model", "nobody/tiny"], "", env);
  expect(code).toBe(2);
  expect(stderr).toContain("nobody/tiny is not a model of a known provider");
  expect(stderr).toContain("providers found here: mine");
});

test("gateway does not print a token from the environment", async () => {
  const child = home.start(["gateway", "--port", "0"], { ...env, AGENTWIRE_GATEWAY_TOKEN: "not-for-logs" });
  let said = "";
  for await (const chunk of child.stdout as Readable) {
    said += chunk;
    if (said.includes("Ctrl-C")) child.kill("SIGTERM");
  }
  expect(said).toContain('ANTHROPIC_AUTH_TOKEN="$AGENTWIRE_GATEWAY_TOKEN"');
  expect(said).not.toContain("not-for-logs");
}, 60_000);
