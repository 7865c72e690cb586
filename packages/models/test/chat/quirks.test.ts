import { describe, expect, test } from "vitest";
import type { ModelError } from "../../src/model-error.ts";
import { ask, type Folded, prompt, providerAt, serve, stream } from "../serve.ts";

const data = (value: unknown) => `data: ${JSON.stringify(value)}\n\n`;
const delta = (change: object, finish_reason: string | null = null) =>
  data({
    id: "chatcmpl-1",
    object: "chat.completion.chunk",
    choices: [{ index: 0, delta: change, finish_reason }],
  });
const text = (content: string) => delta({ content });
const stop = (reason = "stop") => delta({}, reason);
const call = (piece: object) => delta({ tool_calls: [piece] });
const args = (index: number, value: string) => call({ index, function: { arguments: value } });
const DONE = "data: [DONE]\n\n";

async function replyTo(...pieces: readonly (string | Uint8Array)[]): Promise<Folded> {
  const { baseUrl } = await serve((response) => stream(response, pieces));
  return ask(providerAt(baseUrl));
}

async function failureOf(...pieces: readonly string[]): Promise<ModelError> {
  return replyTo(...pieces).then(
    () => Promise.reject(new Error("the reply is whole")),
    (error) => error,
  );
}

const says = (said: string) => [{ type: "text", text: said }];
const toolUse = (name: string, input: unknown, id: unknown = expect.stringMatching(/^toolu_01\w{22}$/)) => ({
  type: "tool_use",
  id,
  name,
  input,
});

describe("text is read in full", () => {
  test.each<[string, readonly string[], string]>([
    ["in one piece", [text("hello"), stop(), DONE], "hello"],
    ["in many pieces", [text("he"), text("l"), text("lo"), stop(), DONE], "hello"],
    [
      "with a role and an empty text first",
      [delta({ role: "assistant", content: "" }), text("hello"), stop(), DONE],
      "hello",
    ],
    ["with null in place of text", [delta({ content: null }), text("hello"), stop(), DONE], "hello"],
    [
      "with the finish reason in the last piece of text",
      [text("hel"), delta({ content: "lo" }, "stop"), DONE],
      "hello",
    ],
    ["without [DONE]", [text("hello"), stop()], "hello"],
    ["with [DONE] and no finish reason", [text("hello"), DONE], "hello"],
    ["with [DONE] and no space before it", [text("hello"), stop(), "data:[DONE]\n\n"], "hello"],
    ["with [DONE] in small letters", [text("hello"), stop(), "data: [done]\n\n"], "hello"],
    ["with [DONE] in quotes", [text("hello"), stop(), 'data: "[DONE]"\n\n'], "hello"],
    ["with [DONE] and no line ending", [text("hello"), stop(), "data: [DONE]"], "hello"],
    ["with data without a space", [text("hello").replace("data: ", "data:"), stop(), DONE], "hello"],
    ["with CRLF", [text("hello"), stop(), DONE].map((piece) => piece.replaceAll("\n", "\r\n")), "hello"],
    ["with CR", [text("hello"), stop(), DONE].map((piece) => piece.replaceAll("\n", "\r")), "hello"],
    [
      "with comments that keep it open",
      [": OPENROUTER PROCESSING\n\n", text("hel"), ": ping\n\n", text("lo"), stop(), DONE],
      "hello",
    ],
    ["with a comment inside an event", [`: one\n${text("hello")}`, stop(), DONE], "hello"],
    [
      "with events that have names and ids",
      [`event: chunk\nid: 1\nretry: 10\n${text("hello")}`, stop(), DONE],
      "hello",
    ],
    ["with an empty event", ["data: \n\n", text("hello"), stop(), DONE], "hello"],
    ["with an event that is not JSON", ["data: hmm\n\n", text("hello"), stop(), DONE], "hello"],
    [
      "with an event whose data has two lines",
      [text("hello").replace('"choices"', '\ndata: "choices"'), stop(), DONE],
      "hello",
    ],
    [
      "with chunks without choices",
      [data({ choices: [] }), text("hello"), data({ id: "x" }), stop(), DONE],
      "hello",
    ],
    [
      "with filter results first, as Azure sends them",
      [data({ choices: [], prompt_filter_results: [{ prompt_index: 0 }] }), text("hello"), stop(), DONE],
      "hello",
    ],
    [
      "with a second choice that was not requested",
      [data({ choices: [{ delta: { content: "hello" } }, { delta: { content: "HELLO" } }] }), stop(), DONE],
      "hello",
    ],
    ["with something after [DONE]", [text("hello"), stop(), DONE, text("!")], "hello"],
    [
      "in parts, as Mistral sends it",
      [
        delta({
          content: [
            { type: "text", text: "hel" },
            { type: "text", text: "lo" },
          ],
        }),
        stop(),
        DONE,
      ],
      "hello",
    ],
    [
      "as a message instead of a delta",
      [
        data({ choices: [{ message: { role: "assistant", content: "hello" }, finish_reason: "stop" }] }),
        DONE,
      ],
      "hello",
    ],
    ["with the finish reason sent twice", [text("hello"), stop(), stop(), DONE], "hello"],
  ])("%s", async (_what, pieces, said) => {
    const reply = await replyTo(...pieces);
    expect(reply.content).toEqual(says(said));
    expect(reply.stopReason).toBe("end_turn");
  });

  test("with multi-byte characters split anywhere", async () => {
    const bytes = Buffer.from(text("grüße, 世界 🌍") + stop() + DONE);
    const pieces = Array.from(bytes, (byte) => Buffer.from([byte]));
    expect((await replyTo(...pieces)).content).toEqual(says("grüße, 世界 🌍"));
  });

  test("from a server that answers with JSON although a stream was requested", async () => {
    const { baseUrl } = await serve((response) => {
      const message = { role: "assistant", content: "hello", tool_calls: null };
      const usage = { prompt_tokens: 3, completion_tokens: 1 };
      response.writeHead(200, { "content-type": "application/json; charset=utf-8" });
      response.end(JSON.stringify({ choices: [{ message, finish_reason: "stop" }], usage }));
    });
    const reply = await ask(providerAt(baseUrl));
    expect(reply.content).toEqual(says("hello"));
    expect(reply.usage).toMatchObject({ input_tokens: 3, output_tokens: 1 });
  });

  test("a reply without text is an empty reply", async () => {
    expect((await replyTo(delta({ role: "assistant" }), stop(), DONE)).content).toEqual([]);
  });
});

describe("tool calls are read", () => {
  const ls = { command: "ls" };
  test.each<[string, readonly string[], readonly object[]]>([
    [
      "with streamed arguments",
      [
        call({ index: 0, id: "call_1", type: "function", function: { name: "Bash", arguments: "" } }),
        args(0, '{"comm'),
        args(0, 'and":"ls"}'),
      ],
      [toolUse("Bash", ls, "call_1")],
    ],
    [
      "in one piece",
      [call({ index: 0, id: "call_1", function: { name: "Bash", arguments: '{"command":"ls"}' } })],
      [toolUse("Bash", ls, "call_1")],
    ],
    [
      "without an id",
      [call({ index: 0, function: { name: "Bash", arguments: '{"command":"ls"}' } })],
      [toolUse("Bash", ls)],
    ],
    [
      "with an empty id",
      [call({ index: 0, id: "", function: { name: "Bash", arguments: '{"command":"ls"}' } })],
      [toolUse("Bash", ls)],
    ],
    [
      "with an id that the Messages API rejects",
      [call({ index: 0, id: "functions.Bash:0", function: { name: "Bash", arguments: "{}" } })],
      [toolUse("Bash", {})],
    ],
    [
      "with arguments that are an object",
      [call({ index: 0, id: "a", function: { name: "Bash", arguments: ls } })],
      [toolUse("Bash", ls, "a")],
    ],
    [
      "without arguments",
      [call({ index: 0, id: "a", function: { name: "Now" } })],
      [toolUse("Now", {}, "a")],
    ],
    [
      "with empty arguments",
      [call({ index: 0, id: "a", function: { name: "Now", arguments: "" } })],
      [toolUse("Now", {}, "a")],
    ],
    [
      "two parallel calls, one after the other",
      [
        call({ index: 0, id: "a", function: { name: "Bash", arguments: "" } }),
        args(0, '{"command":"ls"}'),
        call({ index: 1, id: "b", function: { name: "Read", arguments: "" } }),
        args(1, '{"file_path":"x"}'),
      ],
      [toolUse("Bash", ls, "a"), toolUse("Read", { file_path: "x" }, "b")],
    ],
    [
      "two calls with alternating arguments",
      [
        call({ index: 0, id: "a", function: { name: "Bash", arguments: '{"command"' } }),
        call({ index: 1, id: "b", function: { name: "Read", arguments: '{"file_path"' } }),
        args(0, ':"ls"}'),
        args(1, ':"x"}'),
      ],
      [toolUse("Bash", ls, "a"), toolUse("Read", { file_path: "x" }, "b")],
    ],
    [
      "two calls in one chunk",
      [
        delta({
          tool_calls: [
            { index: 0, id: "a", function: { name: "A", arguments: "{}" } },
            { index: 1, id: "b", function: { name: "B", arguments: "{}" } },
          ],
        }),
      ],
      [toolUse("A", {}, "a"), toolUse("B", {}, "b")],
    ],
    [
      "two calls at the same index with different ids",
      [
        call({ index: 0, id: "a", function: { name: "Bash", arguments: '{"command":"ls"}' } }),
        call({ index: 0, id: "b", function: { name: "Bash", arguments: '{"command":"pwd"}' } }),
      ],
      [toolUse("Bash", ls, "a"), toolUse("Bash", { command: "pwd" }, "b")],
    ],
    [
      "two calls at the same index without ids",
      [
        call({ index: 0, function: { name: "Bash", arguments: '{"command":"ls"}' } }),
        call({ index: 0, function: { name: "Bash", arguments: '{"command":"pwd"}' } }),
      ],
      [toolUse("Bash", ls), toolUse("Bash", { command: "pwd" })],
    ],
    [
      "two calls without an index",
      [
        call({ id: "a", function: { name: "Bash", arguments: '{"command":"ls"}' } }),
        call({ id: "b", function: { name: "Bash", arguments: '{"command":"pwd"}' } }),
      ],
      [toolUse("Bash", ls, "a"), toolUse("Bash", { command: "pwd" }, "b")],
    ],
    [
      "with a name and id in every piece",
      [
        call({ index: 0, id: "a", function: { name: "Bash", arguments: '{"command"' } }),
        call({ index: 0, id: "a", function: { name: "Bash", arguments: ':"ls"}' } }),
      ],
      [toolUse("Bash", ls, "a")],
    ],
    [
      "with a different id in each piece",
      [
        call({ index: 0, id: "a", function: { name: "Bash", arguments: '{"command"' } }),
        call({ index: 0, id: "b", function: { arguments: ':"ls"}' } }),
      ],
      [toolUse("Bash", ls, "a")],
    ],
    [
      "with a name after its index",
      [
        call({ index: 0, id: "a" }),
        call({ index: 0, function: { name: "Bash" } }),
        args(0, '{"command":"ls"}'),
      ],
      [toolUse("Bash", ls, "a")],
    ],
    [
      "with a first index of 1",
      [call({ index: 1, id: "a", function: { name: "Bash", arguments: '{"command":"ls"}' } })],
      [toolUse("Bash", ls, "a")],
    ],
    [
      "with arguments that start with an empty object",
      [call({ index: 0, id: "a", function: { name: "Bash", arguments: "{}" } }), args(0, '{"command":"ls"}')],
      [toolUse("Bash", ls, "a")],
    ],
    [
      "in the older form",
      [
        delta({ function_call: { name: "Bash", arguments: '{"comm' } }),
        delta({ function_call: { arguments: 'and":"ls"}' } }),
      ],
      [toolUse("Bash", ls)],
    ],
    [
      "after a text",
      [
        text("I look."),
        call({ index: 0, id: "a", function: { name: "Bash", arguments: '{"command":"ls"}' } }),
      ],
      [...says("I look."), toolUse("Bash", ls, "a")],
    ],
    [
      "before a text",
      [
        call({ index: 0, id: "a", function: { name: "Bash", arguments: '{"command"' } }),
        text("So."),
        args(0, ':"ls"}'),
      ],
      [toolUse("Bash", ls, "a"), ...says("So.")],
    ],
    [
      "with a line break in a string",
      [call({ index: 0, id: "a", function: { name: "Bash", arguments: '{"command":"ls\npwd"}' } })],
      [toolUse("Bash", { command: "ls\npwd" }, "a")],
    ],
    [
      "with a missing bracket",
      [call({ index: 0, id: "a", function: { name: "Bash", arguments: '{"command":"ls"' } })],
      [toolUse("Bash", ls, "a")],
    ],
    [
      "with arguments that can't be repaired, which the model is told",
      [call({ index: 0, id: "a", function: { name: "Bash", arguments: "list the files" } })],
      [toolUse("Bash", "list the files", "a")],
    ],
  ])("%s", async (_what, pieces, content) => {
    for (const reason of ["tool_calls", "stop", "function_call"]) {
      const reply = await replyTo(...pieces, stop(reason), DONE);
      expect(reply.content).toEqual(content);
      expect(reply.stopReason).toBe("tool_use");
    }
  });

  test("with an id that the conversation already contains, which is replaced", async () => {
    const piece = call({ index: 0, id: "call_0", function: { name: "Bash", arguments: "{}" } });
    const { baseUrl } = await serve((response) => stream(response, [piece, stop("tool_calls"), DONE]));
    const earlier = prompt("hi", {
      messages: [
        { role: "user", content: "hi" },
        { role: "assistant", content: [{ type: "tool_use", id: "call_0", name: "Bash", input: {} }] },
        { role: "user", content: [{ type: "tool_result", tool_use_id: "call_0", content: "ok" }] },
      ],
    });
    expect((await ask(providerAt(baseUrl), earlier)).content).toEqual([toolUse("Bash", {})]);
  });

  test("with arguments truncated by a limit, which are not repaired", async () => {
    const piece = call({ index: 0, id: "a", function: { name: "Write", arguments: '{"content":{"a":1' } });
    const reply = await replyTo(piece, stop("length"), DONE);
    expect(reply.stopReason).toBe("max_tokens");
    expect(reply.content).toEqual([toolUse("Write", expect.any(String), "a")]);
  });

  test("with the first call passed on before the second has arrived", async () => {
    const { baseUrl } = await serve((response) =>
      stream(response, [
        call({ index: 0, id: "a", function: { name: "A", arguments: '{"x":1}' } }),
        call({ index: 1, id: "b", function: { name: "B", arguments: '{"y":' } }),
        args(1, "2}"),
        stop("tool_calls"),
        DONE,
      ]),
    );
    const { events } = await ask(providerAt(baseUrl));
    const stopped = events.findIndex(({ type }) => type === "content_block_stop");
    const begun = events.findLastIndex(({ type }) => type === "content_block_start");
    expect(stopped).toBeLessThan(begun);
    expect(
      events.filter((event) => event.type === "content_block_delta" && event.index === 1).length,
    ).toBeGreaterThan(2);
  });
});

describe("reasoning becomes thinking", () => {
  const signature = expect.stringMatching(/^agentwire\./);
  const thinks = (thinking: string) => ({ type: "thinking", thinking, signature });
  test.each<[string, readonly string[], readonly object[]]>([
    [
      "from reasoning_content",
      [delta({ reasoning_content: "so " }), delta({ reasoning_content: "it is" }), text("yes")],
      [thinks("so it is"), ...says("yes")],
    ],
    ["from reasoning", [delta({ reasoning: "so" }), text("yes")], [thinks("so"), ...says("yes")]],
    [
      "from two fields with the same text",
      [delta({ reasoning: "so", reasoning_content: "so" }), text("yes")],
      [thinks("so"), ...says("yes")],
    ],
    [
      "with an empty text next to it",
      [delta({ reasoning_content: "so", content: "" }), text("yes")],
      [thinks("so"), ...says("yes")],
    ],
    [
      "with null next to it",
      [delta({ reasoning_content: "so", content: null }), delta({ content: "yes", reasoning_content: null })],
      [thinks("so"), ...says("yes")],
    ],
    [
      "from details, as OpenRouter sends them",
      [
        delta({ reasoning: "so", reasoning_details: [{ type: "reasoning.text", text: "so", index: 0 }] }),
        text("yes"),
      ],
      [thinks("so"), ...says("yes")],
    ],
    [
      "from encrypted details alone",
      [delta({ reasoning_details: [{ type: "reasoning.encrypted", data: "x", index: 0 }] }), text("yes")],
      [{ type: "redacted_thinking", data: signature }, ...says("yes")],
    ],
    [
      "from parts, as Mistral sends it",
      [delta({ content: [{ type: "thinking", thinking: [{ type: "text", text: "so" }] }] }), text("yes")],
      [thinks("so"), ...says("yes")],
    ],
    ["from tags at the start of the text", [text("<think>so</think>yes")], [thinks("so"), ...says("yes")]],
    [
      "from tags in pieces",
      [text("<th"), text("ink>\nso <"), text("b></th"), text("ink>\n\nyes")],
      [thinks("so <b>"), ...says("yes")],
    ],
    ["from a tag that never closes", [text("<think>so")], [thinks("so")]],
    [
      "with a call after it",
      [
        delta({ reasoning_content: "so" }),
        call({ index: 0, id: "a", function: { name: "A", arguments: "{}" } }),
      ],
      [thinks("so"), toolUse("A", {}, "a")],
    ],
  ])("%s", async (_what, pieces, content) => {
    const reply = await replyTo(...pieces, stop(), DONE);
    expect(reply.content).toEqual(content);
  });

  test("unless its tag is not at the start of the text", async () => {
    expect((await replyTo(text("I say <think>so</think>"), stop(), DONE)).content).toEqual(
      says("I say <think>so</think>"),
    );
  });

  test("unless the text only starts like a tag", async () => {
    expect((await replyTo(text("<th"), text("ree>"), stop(), DONE)).content).toEqual(says("<three>"));
  });
});

describe("the finish reason", () => {
  test.each([
    ["stop", "end_turn"],
    ["eos", "end_turn"],
    ["length", "max_tokens"],
    ["max_tokens", "max_tokens"],
    ["model_length", "max_tokens"],
    ["content_filter", "refusal"],
    ["safety", "refusal"],
    ["tool_calls", "end_turn"],
  ])("%s becomes %s", async (reason, expected) => {
    expect((await replyTo(text("x"), stop(reason), DONE)).stopReason).toBe(expected);
  });

  test('of a refusal is "refusal", and its text is passed on', async () => {
    const reply = await replyTo(delta({ refusal: "I can't " }), delta({ refusal: "do that." }), stop(), DONE);
    expect(reply.content).toEqual(says("I can't do that."));
    expect(reply.stopReason).toBe("refusal");
  });
});

describe("usage is read", () => {
  const counted = (usage: unknown) => [text("hello"), stop(), data({ choices: [], usage }), DONE];
  test.each<[string, readonly string[], object]>([
    [
      "from a separate chunk at the end",
      counted({ prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 }),
      { input_tokens: 10, output_tokens: 5, cache_read_input_tokens: 0 },
    ],
    [
      "from the last piece",
      [
        text("hello"),
        data({
          choices: [{ delta: {}, finish_reason: "stop" }],
          usage: { prompt_tokens: 10, completion_tokens: 5 },
        }),
        DONE,
      ],
      { input_tokens: 10, output_tokens: 5 },
    ],
    [
      "from every piece, growing",
      [1, 2, 3].map((n) =>
        data({
          choices: [{ delta: { content: "x" }, finish_reason: n === 3 ? "stop" : null }],
          usage: { prompt_tokens: 10, completion_tokens: n },
        }),
      ),
      { input_tokens: 10, output_tokens: 3 },
    ],
    [
      "from the end, if it is null before",
      [
        data({ choices: [{ delta: { content: "x" } }], usage: null }),
        ...counted({ prompt_tokens: 1, completion_tokens: 2 }),
      ],
      { input_tokens: 1, output_tokens: 2 },
    ],
    [
      "with cached tokens",
      counted({ prompt_tokens: 100, completion_tokens: 5, prompt_tokens_details: { cached_tokens: 80 } }),
      { input_tokens: 20, cache_read_input_tokens: 80 },
    ],
    [
      "with tokens written to a cache",
      counted({
        prompt_tokens: 100,
        completion_tokens: 5,
        prompt_tokens_details: { cached_tokens: 50, cache_write_tokens: 40 },
      }),
      { input_tokens: 10, cache_read_input_tokens: 50, cache_creation_input_tokens: 40 },
    ],
    [
      "with cached tokens in DeepSeek's form",
      counted({
        prompt_tokens: 100,
        completion_tokens: 5,
        prompt_cache_hit_tokens: 64,
        prompt_cache_miss_tokens: 36,
      }),
      { input_tokens: 36, cache_read_input_tokens: 64 },
    ],
    [
      "with reasoning tokens",
      counted({
        prompt_tokens: 10,
        completion_tokens: 50,
        total_tokens: 60,
        completion_tokens_details: { reasoning_tokens: 40 },
      }),
      { output_tokens: 50, output_tokens_details: { thinking_tokens: 40 } },
    ],
    [
      "with reasoning tokens outside the completion, as xAI sends them",
      counted({
        prompt_tokens: 10,
        completion_tokens: 5,
        total_tokens: 55,
        completion_tokens_details: { reasoning_tokens: 40 },
      }),
      { output_tokens: 45, output_tokens_details: { thinking_tokens: 40 } },
    ],
    [
      "from Groq's field",
      [
        text("hello"),
        data({
          choices: [{ delta: {}, finish_reason: "stop" }],
          x_groq: { usage: { prompt_tokens: 7, completion_tokens: 2 } },
        }),
        DONE,
      ],
      { input_tokens: 7, output_tokens: 2 },
    ],
  ])("%s", async (_what, pieces, usage) => {
    expect((await replyTo(...pieces)).usage).toMatchObject(usage);
  });

  test("if missing, as an estimate, because otherwise the call would seem free", async () => {
    const { usage } = await replyTo(text("hello world, how are you?"), stop(), DONE);
    expect(usage.input_tokens).toBeGreaterThan(10);
    expect(usage.output_tokens).toBeGreaterThan(3);
  });
});

describe("a failure inside the stream is recognized", () => {
  test.each<[string, readonly string[], object]>([
    [
      "as an object",
      [text("x"), data({ error: { message: "boom", type: "server_error" } })],
      { status: 500, type: "api_error", message: "boom" },
    ],
    [
      "as a text",
      [data({ error: "an error was encountered" })],
      { status: 500, message: "an error was encountered" },
    ],
    [
      "with a status as the code",
      [data({ error: { message: "slow down", code: 429 } })],
      { status: 429, type: "rate_limit_error" },
    ],
    [
      "with a name as the code",
      [data({ error: { message: "Too long", code: "context_length_exceeded" } })],
      { status: 400, message: "prompt is too long: Too long" },
    ],
    [
      "from an overloaded model",
      [data({ error: { message: "The model is overloaded", type: "server_error" } })],
      { status: 529, type: "overloaded_error" },
    ],
    ["in an error event", [`event: error\n${data({ error: { message: "boom" } })}`], { message: "boom" }],
    [
      "in vLLM's form",
      [data({ object: "error", message: "boom", code: 400 })],
      { status: 400, type: "invalid_request_error", message: "boom" },
    ],
    ["in FastAPI's form", [data({ detail: "boom" })], { message: "boom" }],
    ["without the word data", ['{"error":{"message":"boom"}}\n\n'], { message: "boom" }],
    [
      "in the choice, as OpenRouter sends it",
      [
        data({
          choices: [
            { delta: { content: "" }, finish_reason: "error", error: { code: 502, message: "upstream" } },
          ],
        }),
      ],
      { status: 502, message: "upstream" },
    ],
    [
      "with the time to wait before a retry",
      [data({ error: { message: "Please try again in 1.5s", type: "rate_limit_exceeded" } })],
      { status: 429, retryAfterMs: 1500 },
    ],
  ])("%s", async (_what, pieces, expected) => {
    expect(await failureOf(...pieces)).toMatchObject(expected);
  });

  test.each<[string, readonly string[]]>([
    ["within a text", [text("hel")]],
    ["before any text", []],
    ["within an event", [text("hel"), 'data: {"choices":[{"de']],
    ["within a call", [call({ index: 0, id: "a", function: { name: "A", arguments: '{"x"' } })]],
    ["with [DONE] and nothing before it", [DONE]],
  ])("a stream that ends %s counts as cut off", async (_what, pieces) => {
    expect(await failureOf(...pieces)).toMatchObject({ status: null, type: "stream_cut" });
  });

  test("a broken connection counts as cut off", async () => {
    const { baseUrl } = await serve((response) => {
      response.writeHead(200, { "content-type": "text/event-stream" });
      response.write(text("hel"), () => response.destroy());
    });
    await expect(ask(providerAt(baseUrl))).rejects.toMatchObject({ status: null, type: "stream_cut" });
  });
});
