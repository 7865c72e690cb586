import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { ASKED, bash, newApi, UNASKED } from "../../model-source.ts";
import { newPlace } from "../../place.ts";
import { answer, answers, request } from "../../wire.ts";
import { ends, inShort, inside, openRpc, openScripted, refuses, responds, run } from "./rpc.ts";

describe("a run", { timeout: 30_000 }, () => {
  test("sends each message as a response with the run's id, the result last", async () => {
    const model = "claude-sonnet-4-20250514";
    const agent = await openScripted({
      steps: [{ text: "Hello! How can I help?", model, usage: { input_tokens: 10, output_tokens: 20 } }],
    });
    agent.send(run(1, "Hello", { session_id: "default" }));
    agent.input.end();
    expect(await agent.ended()).toEqual({ code: 0, signal: null });
    expect(agent.lines.map(inShort)).toEqual(["1 system init", "1 assistant", "1 result success"]);
    for (const line of agent.lines) expect(Object.keys(line)).toEqual(["jsonrpc", "id", "result"]);
    const [, reply, result] = agent.lines.map(inside);
    expect(reply).toMatchObject({
      type: "assistant",
      message: { role: "assistant", content: [{ type: "text", text: "Hello! How can I help?" }], model },
    });
    expect(result).toMatchObject({
      type: "result",
      subtype: "success",
      duration_ms: expect.any(Number),
      duration_api_ms: expect.any(Number),
      is_error: false,
      num_turns: 1,
      session_id: expect.any(String),
      usage: { input_tokens: 10, output_tokens: 20 },
      result: "Hello! How can I help?",
    });
  });

  test("sends a tool call and its result", async () => {
    const agent = await openScripted({
      steps: [
        {
          content: [
            { type: "text", text: "Let me read that file." },
            { type: "tool_use", id: "call_123", name: "Read", input: { file_path: "{{cwd}}/test.txt" } },
          ],
        },
        { text: "The file contains..." },
      ],
    });
    await writeFile(join(agent.place.cwd, "test.txt"), "File contents here");
    agent.send(run("one", "Read it"));
    await agent.line(ends("one"));
    expect(agent.lines.map(inShort)).toEqual([
      "one system init",
      "one assistant",
      "one assistant",
      "one user",
      "one assistant",
      "one result success",
    ]);
    const [, said, called, returned, told] = agent.lines.map(inside);
    expect(said).toMatchObject({ message: { content: [{ text: "Let me read that file." }] } });
    expect(called).toMatchObject({ message: { content: [{ type: "tool_use", id: "call_123" }] } });
    expect(returned).toMatchObject({
      message: {
        role: "user",
        content: [
          {
            type: "tool_result",
            tool_use_id: "call_123",
            content: expect.stringContaining("File contents here"),
          },
        ],
      },
    });
    expect(told).toMatchObject({ message: { content: [{ text: "The file contains..." }] } });
  });

  test("accepts a prompt of blocks, and streams thinking and events if requested", async () => {
    const place = await newPlace();
    const api = await newApi({
      steps: [
        {
          content: [
            { type: "thinking", thinking: "Hm.", signature: "sig" },
            { type: "text", text: "A cat." },
          ],
        },
      ],
    });
    const agent = openRpc(place, { args: ["--include-partial-messages"], env: api.env });
    const image = {
      type: "image",
      source: { type: "base64", media_type: "image/png", data: "iVBORw0KGgo=" },
    };
    agent.send(run(1, [{ type: "text", text: "What is it?" }, image]));
    await agent.line(ends(1));
    const inner = agent.lines.map(inside);
    expect(agent.lines.every((line) => line.id === 1)).toBe(true);
    expect(inner.filter(({ type }) => type === "stream_event").length).toBeGreaterThan(5);
    expect(inner.filter(({ type }) => type === "assistant")).toMatchObject([
      { message: { content: [{ type: "thinking", thinking: "Hm.", signature: "sig" }] } },
      { message: { content: [{ type: "text", text: "A cat." }] } },
    ]);
    expect(JSON.stringify(api.requests[0]?.body.messages)).toContain(image.source.data);
  });

  test("that failed has an error result, not an RPC error, and the next one succeeds", async () => {
    const agent = await openScripted({
      steps: [
        { type: "error", status: 402, error: { type: "billing_error", message: "no credit" } },
        { text: "Better." },
      ],
    });
    agent.send(run(1, "Hello"));
    expect(inside(await agent.line(ends(1)))).toMatchObject({ is_error: true });
    expect(agent.lines.map(inside)).toContainEqual(
      expect.objectContaining({ type: "assistant", error: "billing_error" }),
    );
    agent.send(run(2, "Hello again"));
    expect(inside(await agent.line(ends(2)))).toMatchObject({ is_error: false, result: "Better." });
    expect(agent.lines.some((line) => "error" in line)).toBe(false);
    agent.input.end();
    expect(await agent.ended()).toEqual({ code: 0, signal: null });
  });

  test("continues the conversation of the previous one", async () => {
    const api = await newApi({ steps: [{ text: "Hello, Ada." }, { text: "Ada." }] });
    const agent = openRpc(await newPlace(), { env: api.env });
    agent.send(run(1, "I am Ada"));
    await agent.line(ends(1));
    agent.send(run(2, "Who am I?"));
    await agent.line(ends(2));
    const seen = JSON.stringify(api.requests[1]?.body.messages);
    for (const text of ["I am Ada", "Hello, Ada.", "Who am I?"]) expect(seen).toContain(text);
  });

  test("refuses a second one at the same time, and is not affected", async () => {
    const agent = await openScripted(
      { steps: [{ content: [bash("until [ -e go ]; do sleep 0.02; done; echo gone")] }, { text: "Done." }] },
      UNASKED,
    );
    agent.send(run("first", "work"));
    await agent.line(responds("first", "assistant"));
    agent.send(run("second", "me too"));
    expect(await agent.line(refuses("second"))).toEqual({
      jsonrpc: "2.0",
      id: "second",
      error: { code: -32001, message: expect.any(String), data: { currentRequestId: "first" } },
    });
    await writeFile(join(agent.place.cwd, "go"), "");
    await agent.line(ends("first"));
    expect(agent.lines.filter(responds("second"))).toHaveLength(1);
    expect(inside(agent.lines.at(-1) ?? {})).toMatchObject({ type: "result", result: "Done." });
  });

  test("is still answered if the input ends before its answer", async () => {
    const agent = await openScripted({ steps: [{ text: "Slowly.", delayBefore: 200 }] });
    agent.send(run(1, "Hello"));
    agent.input.end();
    expect(await agent.ended()).toEqual({ code: 0, signal: null });
    expect(agent.lines.map(inShort).at(-1)).toBe("1 result success");
  });

  test("sends permission questions in its own name, and accepts the official answer", async () => {
    const agent = await openScripted(
      { steps: [{ content: [bash("touch made")] }, { text: "Made." }] },
      ASKED,
    );
    agent.send(run(1, "make it"));
    const question = inside(await agent.line(responds(1, "control_request")));
    expect(question).toMatchObject({ request: { subtype: "can_use_tool", tool_name: "Bash" } });
    agent.send(answer(question.request_id, { behavior: "allow" }));
    expect(inside(await agent.line(ends(1)))).toMatchObject({ result: "Made." });
    await agent.place.file("made");
  });

  test("with a background task continues in messages that belong to no run", async () => {
    const agent = await openScripted(
      {
        steps: [
          { content: [bash("until [ -e go ]; do sleep 0.02; done", { run_in_background: true })] },
          { text: "Started." },
          { text: "It is over." },
          { text: "And you?" },
        ],
      },
      UNASKED,
    );
    agent.send(run(1, "work in the background"));
    await agent.line(ends(1));
    await writeFile(join(agent.place.cwd, "go"), "");
    await agent.line((line) => inShort(line) === "notification result success");
    agent.send(run(2, "hello"));
    expect(inside(await agent.line(ends(2)))).toMatchObject({ result: "And you?" });
    expect(agent.lines.filter((line) => inShort(line).startsWith("notification result"))).toHaveLength(1);
  });
});

test("accepts control requests of the official wire next to the envelope", async () => {
  const agent = await openScripted({ steps: [] });
  agent.send(request("r1", "set_permission_mode", { mode: "plan" }));
  expect(await agent.line(answers("r1"))).toMatchObject({
    response: { subtype: "success", response: { mode: "plan" } },
  });
});
