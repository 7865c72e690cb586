import type { Script } from "@agentwire/models/script";
import { afterEach, describe, expect, test } from "vitest";
import { calls, fails, says, toolUse } from "../src/scripted-api/script.ts";
import { type ScriptedApi, startScriptedApi } from "../src/scripted-api/server.ts";

let api: ScriptedApi | undefined;

afterEach(async () => {
  await api?.close();
  api = undefined;
});

const TURN = {
  model: "m",
  max_tokens: 100,
  tools: [{ name: "Read" }],
  messages: [{ role: "user", content: "hi" }],
};

async function start(script: Script, variables?: Record<string, string>) {
  const started = await startScriptedApi(script, variables);
  api = started;
  const post = (body: unknown, init: RequestInit = {}) =>
    fetch(`${started.url}/v1/messages`, { method: "POST", body: JSON.stringify(body), ...init });
  return { post, requests: started.requests, url: started.url };
}

/** The events of a stream, up to where it ends. */
async function events(
  response: Response,
): Promise<{ readonly list: Record<string, unknown>[]; readonly broken: boolean }> {
  let text = "";
  let broken = false;
  const decoder = new TextDecoder();
  try {
    for await (const chunk of response.body ?? []) text += decoder.decode(chunk, { stream: true });
  } catch {
    broken = true;
  }
  const list = [...text.matchAll(/^data: (.*)$/gm)].map((match) => JSON.parse(match[1] ?? ""));
  return { list, broken };
}

/** A message of the API, or an error. */
interface Body {
  readonly content: readonly { readonly text?: string; readonly id?: string; readonly input?: unknown }[];
  readonly stop_reason: string;
}

const bodyOf = async (response: Response) => (await response.json()) as Body;

const typesOf = (list: readonly Record<string, unknown>[]) => list.map(({ type }) => type);

describe("a request with tools", () => {
  test("gets the next step each time, and whenExhausted after the last one", async () => {
    const { post } = await start({ steps: [says("one"), says("two")], whenExhausted: says("end") });
    const texts = [];
    for (let i = 0; i < 4; i++) texts.push((await bodyOf(await post(TURN))).content[0]?.text);
    expect(texts).toEqual(["one", "two", "end", "end"]);
  });

  test("gets a repeated step as often as the script says", async () => {
    const { post } = await start({
      steps: [fails(529, "overloaded_error", "full", { repeat: 2 }), says("ok")],
    });
    const statuses = [];
    for (let i = 0; i < 3; i++) statuses.push((await post(TURN)).status);
    expect(statuses).toEqual([529, 529, 200]);
  });

  test("gets an error with its status and headers", async () => {
    const step = fails(429, "rate_limit_error", "slow down", { headers: { "retry-after": "7" } });
    const { post } = await start({ steps: [step] });
    const response = await post(TURN);
    expect(response.status).toBe(429);
    expect(response.headers.get("retry-after")).toBe("7");
    expect(await response.json()).toMatchObject({
      error: { type: "rate_limit_error", message: "slow down" },
    });
  });

  test("loses its connection if the script says so", async () => {
    const { post } = await start({ steps: [{ type: "reset" }] });
    await expect(post(TURN)).rejects.toThrow("fetch failed");
  });

  test("gets texts with the variables replaced", async () => {
    const { post } = await start(
      { steps: [calls("Read", { file_path: "{{cwd}}/{{other}}" })] },
      { cwd: "/p" },
    );
    const body = await bodyOf(await post(TURN));
    expect(body.content[0]).toMatchObject({
      id: expect.stringMatching(/^toolu_/),
      input: { file_path: "/p/{{other}}" },
    });
    expect(body.stop_reason).toBe("tool_use");
  });

  test("takes as long as the step says", async () => {
    const { post } = await start({ steps: [says("late", { delayBefore: 80 })] });
    const started = performance.now();
    await post(TURN);
    expect(performance.now() - started).toBeGreaterThan(75);
  });
});

describe("a side request", () => {
  test.each([
    ["without tools", { ...TURN, tools: [] }, "side"],
    ["for a single token", { ...TURN, max_tokens: 1 }, "probe"],
  ])("%s uses no step", async (_, body, kind) => {
    const { post, requests } = await start({ steps: [says("mine")] });
    expect((await post(body)).status).toBe(200);
    expect((await bodyOf(await post(TURN))).content[0]?.text).toBe("mine");
    expect(requests.all.map((request) => request.kind)).toEqual([kind, "turn"]);
  });

  test("for a single token fails if the script says so", async () => {
    const { post } = await start({ steps: [], probe: fails(404, "not_found_error", "no such model") });
    expect((await post({ ...TURN, max_tokens: 1 })).status).toBe(404);
    expect((await post(TURN)).status).toBe(200);
  });
});

describe("a stream", () => {
  const stream = { ...TURN, stream: true };

  test("contains every kind of block", async () => {
    const { post } = await start({
      steps: [
        {
          content: [
            { type: "thinking", thinking: "hm, hm", signature: "sig" },
            { type: "redacted_thinking", data: "xx" },
            { type: "text", text: "hello" },
            toolUse("Read", { a: 1 }, "toolu_1"),
          ],
          chunkSize: 4,
          usage: { output_tokens: 5 },
        },
      ],
    });
    const { list, broken } = await events(await post(stream));
    const deltas = list.flatMap(({ delta }) => (delta ? [delta as Record<string, unknown>] : []));
    expect(broken).toBe(false);
    expect(typesOf(list).at(0)).toBe("message_start");
    expect(typesOf(list).at(-1)).toBe("message_stop");
    expect(deltas.map(({ thinking = "" }) => thinking).join("")).toBe("hm, hm");
    expect(deltas.map(({ text = "" }) => text).filter(Boolean)).toEqual(["hell", "o"]);
    expect(deltas.map(({ partial_json = "" }) => partial_json).join("")).toBe('{"a":1}');
    expect(deltas.find(({ signature }) => signature)).toMatchObject({ signature: "sig" });
    expect(list.at(-2)).toMatchObject({ delta: { stop_reason: "tool_use" }, usage: { output_tokens: 5 } });
  });

  test("breaks off after the number of deltas in the script", async () => {
    const { post } = await start({ steps: [says("abcdef", { chunkSize: 1, cutAfterChunks: 2 })] });
    const got = await events(await post(stream));
    expect(got.broken).toBe(true);
    expect(typesOf(got.list).filter((type) => type === "content_block_delta")).toHaveLength(2);
  });

  test("ends with an error after the block that the script names", async () => {
    const error = { type: "overloaded_error", message: "Overloaded" };
    const { post } = await start({
      steps: [says("abc", { errorAfterBlock: 0, error })],
    });
    const { list } = await events(await post(stream));
    expect(list.at(-1)).toEqual({ type: "error", error });
    expect(typesOf(list)).not.toContain("message_stop");
  });

  test("stalls until the client gives up", async () => {
    const { post } = await start({ steps: [says("abc", { chunkSize: 1, stallAfterChunks: 1 })] });
    const response = await post(stream, { signal: AbortSignal.timeout(150) });
    const got = await events(response);
    expect(got.broken).toBe(true);
    expect(typesOf(got.list).at(-1)).toBe("content_block_delta");
  });
});

describe("the request log", () => {
  test("provides the values that scenarios check", async () => {
    const { post, requests } = await start({ steps: [] });
    await post({
      ...TURN,
      system: [
        { type: "text", text: "be" },
        { type: "text", text: "kind" },
      ],
    });
    await post({ ...TURN, model: "n", system: "plain" });
    expect(requests.sent(0, '"hi"')).toBe(true);
    expect(requests.sent(-1, "bye")).toBe(false);
    expect(requests.sent(9, "hi")).toBe(false);
    expect([requests.systemPrompt(0), requests.systemPrompt(1)]).toEqual(["be\nkind", "plain"]);
    expect(requests.models()).toEqual(["m", "n"]);
    expect(requests.toolNames(0)).toEqual(["Read"]);
  });
});

test("a body that is not JSON is rejected, and other addresses are answered", async () => {
  const { post, url } = await start({ steps: [] });
  expect((await post(undefined, { body: "{" })).status).toBe(400);
  expect((await fetch(`${url}/v1/models`)).status).toBe(200);
  expect((await fetch(url, { method: "HEAD" })).status).toBe(200);
  expect((await fetch(`${url}/nowhere`)).status).toBe(404);
});
