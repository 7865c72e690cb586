import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startFold } from "@agentwire/models";
import type { Script } from "@agentwire/models/script";
import type { ApiEvent } from "@agentwire/protocol/messages";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Model, ModelCall } from "../../src/model/model.ts";
import { loadScript, scriptedModel } from "../../src/model/scripted.ts";

const CALL: ModelCall = {
  model: "claude-opus-5-5",
  system: [],
  messages: [{ role: "user", content: "hi" }],
  tools: [{ name: "Bash" }],
  maxTokens: 100,
};

const never = () => new AbortController().signal;
const play = (script: Script, variables: Record<string, string> = {}) =>
  scriptedModel(script, new Map(Object.entries(variables)));

async function reply(model: Model, call: Partial<ModelCall> = {}, signal = never()) {
  const fold = startFold();
  const types: ApiEvent["type"][] = [];
  for await (const event of (await model.call({ ...CALL, ...call }, signal)).events) {
    fold.push(event);
    types.push(event.type);
  }
  return { ...fold.message, types };
}

describe("a scripted model", () => {
  test("plays its steps in order, then says that there are no more", async () => {
    const model = play({ steps: [{ text: "one" }, { text: "two", repeat: 2 }] });
    const texts = [];
    for (let i = 0; i < 4; i++) texts.push((await reply(model)).content);
    expect(texts.map(([block]) => block)).toEqual(
      ["one", "two", "two", "(the script has no more steps)"].map((text) => ({ type: "text", text })),
    );
  });

  test("repeats `whenExhausted` forever", async () => {
    const model = play({ steps: [], whenExhausted: { text: "again" } });
    for (let i = 0; i < 3; i++)
      expect((await reply(model)).content).toEqual([{ type: "text", text: "again" }]);
  });

  test("returns whole blocks, stop reason and usage, with the same ids in every run", async () => {
    const script: Script = {
      steps: [
        {
          content: [
            { type: "thinking", thinking: "Hm.", signature: "c2ln" },
            { type: "text", text: "Running it." },
            { type: "tool_use", name: "Bash", input: { command: "ls {{cwd}} {{other}}" } },
            { type: "redacted_thinking", data: "x" },
          ],
          usage: { output_tokens: 7 },
        },
      ],
    };
    const first = await reply(play(script, { cwd: "/project" }));
    expect(first).toMatchObject({
      id: "msg_script_000002",
      model: "claude-opus-5-5",
      stop_reason: "tool_use",
      usage: { input_tokens: 100, output_tokens: 7 },
      content: [
        { type: "thinking", thinking: "Hm.", signature: "c2ln" },
        { type: "text", text: "Running it." },
        { type: "tool_use", id: "toolu_script_000003", input: { command: "ls /project {{other}}" } },
        { type: "redacted_thinking", data: "x" },
      ],
    });
    expect(await reply(play(script, { cwd: "/project" }))).toEqual(first);
    expect(first.types).not.toContain("ping");
  });

  test("answers side requests without using a step", async () => {
    const model = play({ steps: [{ text: "main" }], probe: { type: "error", status: 404 } });
    expect((await reply(model, { tools: [] })).content).toEqual([{ type: "text", text: "(side call)" }]);
    await expect(reply(model, { maxTokens: 1 })).rejects.toMatchObject({ status: 404 });
    expect((await reply(model)).content).toEqual([{ type: "text", text: "main" }]);
  });

  test("rejects a request that lacks what its step expects", async () => {
    const expects = (content: string) =>
      play({ steps: [{ text: "ok", expect: { messages: [{ role: "user", content }] } }] });
    await expect(reply(expects("bye"))).rejects.toMatchObject({
      status: 400,
      message: expect.stringContaining("bye"),
    });
    expect((await reply(expects("hi"))).content).toEqual([{ type: "text", text: "ok" }]);
  });

  test("keeps the steps of a consolidation separate from those of turns", async () => {
    const model = play(
      { steps: [{ text: "main" }], lanes: { consolidation: [{ text: "note {{x}}" }] } },
      { x: "it" },
    );
    const texts = [];
    for (const lane of ["consolidation", undefined, "consolidation"] as const)
      texts.push((await reply(model, lane ? { lane } : {})).content);
    expect(texts).toEqual(["note it", "main", "(side call)"].map((text) => [{ type: "text", text }]));
  });

  test.each([
    [
      {
        type: "error",
        status: 429,
        error: { type: "rate_limit_error", message: "slow" },
        headers: { "retry-after": "3" },
      },
      { status: 429, type: "rate_limit_error", message: "slow", retryAfterMs: 3000 },
    ],
    [{ type: "error" }, { status: 500, type: "api_error" }],
    [{ type: "reset" }, { status: null, type: "connection_error" }],
    [
      { text: "one two three four", cutAfterChunks: 1 },
      { status: null, type: "stream_cut" },
    ],
    [
      { text: "x", errorAfterBlock: 0, error: { type: "api_error", message: "oh" } },
      { status: 500, message: "oh" },
    ],
  ] as const)("fails as specified by %j", async (step, expected) => {
    await expect(reply(play({ steps: [step] }))).rejects.toMatchObject(expected);
  });

  test("waits before and between chunks, until it is aborted", async () => {
    const reason = new Error("enough");
    for (const step of [
      { delayBefore: 60_000 },
      { text: "a b", chunkDelay: 60_000 },
      { text: "a", stallAfterChunks: 1 },
    ]) {
      const controller = new AbortController();
      const playing = reply(play({ steps: [step] }), {}, controller.signal);
      setImmediate(() => controller.abort(reason));
      await expect(playing).rejects.toBe(reason);
    }
  });
});

describe("a script file", () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "script-"));
  });
  afterAll(() => rm(folder, { recursive: true }));

  test("is loaded", async () => {
    const path = join(folder, "good.json");
    await writeFile(path, JSON.stringify({ steps: [{ text: "from a file" }] }));
    expect((await reply(play(await loadScript(path)))).content).toEqual([
      { type: "text", text: "from a file" },
    ]);
  });

  test("that is missing is an error that names it", async () => {
    const path = join(folder, "none.json");
    await expect(loadScript(path)).rejects.toMatchObject({
      name: "UsageError",
      message: expect.stringContaining(path),
    });
  });

  test.each([
    ["{", "not JSON"],
    ["[]", "list of steps"],
    ['{"steps":{}}', "list of steps"],
    ['{"steps":[{},7]}', "step 2"],
    ['{"steps":[{"type":"song"}]}', '"song"'],
    ['{"steps":[{"content":"text"}]}', "list of blocks"],
    ['{"steps":[{"content":[{}]}]}', "list of blocks"],
    ['{"steps":[{"type":"error","error":"no"}]}', "an error is"],
    ['{"steps":[],"whenExhausted":1}', "whenExhausted"],
    ['{"steps":[{"text":"a","delayMs":1}]}', "step 1: unknown key delayMs"],
    ['{"steps":[{"text":"a","repeat":"2"}]}', "step 1: repeat should be number"],
    ['{"steps":[],"afterwards":{}}', "unknown key afterwards"],
    ['{"steps":[],"lanes":[]}', "lanes is an object"],
    ['{"steps":[],"lanes":{"dreams":[]}}', "unknown lane dreams"],
    ['{"steps":[],"lanes":{"consolidation":{}}}', "list of steps"],
    ['{"steps":[],"lanes":{"consolidation":[7]}}', "lane consolidation: step 1"],
  ])("that contains %s is an error that says: %s", async (text, hint) => {
    const path = join(folder, "bad.json");
    await writeFile(path, text);
    await expect(loadScript(path)).rejects.toMatchObject({
      name: "UsageError",
      message: expect.stringContaining(hint),
    });
  });
});
