import { describe, expect, test } from "vitest";
import { expectSoundHistory } from "../history-checks.ts";
import { blocksOf } from "../wire.ts";
import { close, of, openScripted, openWithApi, results, said, user } from "./miriad-agent.ts";

describe("a line", { timeout: 30_000 }, () => {
  test("that is unusable causes an error that names the problem, and the process continues", async () => {
    const agent = await openScripted({ steps: [], whenExhausted: { text: "Still here." } });
    const long = "s".repeat(300);
    const lines = [
      ["nonsense", "not JSON"],
      ["null", "null"],
      ['"text"', "a string"],
      ['{"message":{}}', "no type"],
      ['{"type":"dance"}', "dance"],
      ['{"type":"user","message":{"role":"assistant","content":"x"}}', "role"],
      ['{"type":"user","message":{"role":"user"}}', "content"],
      ['{"type":"user"}', "message"],
      ['{"type":"control","action":"explode"}', "explode"],
      ['{"type":"control"}', "action"],
      [`{"type":"user","message":{"role":"user","content":"x"},"session_id":"${long}"}`, "256"],
    ] as const;
    for (const [i, [line, named]] of lines.entries()) {
      const from = agent.lines.length;
      agent.input.write(`${line}\n`);
      const error = await agent.line(of("error"), from);
      expect(error.message, line).toContain(named);
      agent.send(user("hello"));
      await results(agent, i + 1);
      expect(said(agent).slice(from), line).toEqual(["error", "assistant", "success"]);
    }
    expect(await close(agent)).toBe(0);
  });

  test("that is too long is reported and skipped without being held in memory", async () => {
    const agent = await openScripted({ steps: [{ text: "Still here." }] });
    const piece = Buffer.alloc(1024 * 1024, "x");
    for (let i = 0; i < 300; i++)
      if (!agent.input.write(piece)) await new Promise((resolve) => agent.input.once("drain", resolve));
    agent.input.write("\n");
    agent.send(user("hello"));
    expect(await results(agent, 1)).toMatchObject([{ result: "Still here." }]);
    expect(said(agent)).toEqual(["error", "assistant", "success"]);
    expect(await close(agent)).toBe(0);
  });

  test("needs no newline at the end of the input", async () => {
    const agent = await openScripted({ steps: [{ text: "Hello." }] });
    agent.input.end(JSON.stringify(user("hello")));
    expect(await agent.ended()).toMatchObject({ code: 0 });
    expect(said(agent)).toEqual(["assistant", "success"]);
  });
});

describe("content", { timeout: 30_000 }, () => {
  const image = { type: "image", source: { type: "base64", media_type: "image/png", data: "iVBORw0KGgo=" } };

  test("is joined if it consists of text blocks, and passed on if it is an image", async () => {
    const { api, agent } = await openWithApi({ steps: [{ text: "One." }, { text: "Two." }] });
    agent.send(
      user([
        { type: "text", text: "a" },
        { type: "text", text: "b" },
      ]),
    );
    await results(agent, 1);
    agent.send(user([{ type: "text", text: "what is this?" }, image]));
    await results(agent, 2);
    const messages = expectSoundHistory(api.requests[1]?.body.messages);
    expect(blocksOf(messages[0])).toMatchObject([{ type: "text", text: "a\nb" }]);
    expect(blocksOf(messages[2])).toMatchObject([{ type: "text", text: "what is this?" }, image]);
    expect(await close(agent)).toBe(0);
  });

  test.each([
    [{ type: "audio", data: "x" }, "audio"],
    [{ type: "tool_result", tool_use_id: "t", content: "x" }, "tool_result"],
    [{ type: "image", source: { type: "hearsay" } }, "image"],
  ])("is used without its unusable block %j, which is reported", async (block, named) => {
    const { api, agent } = await openWithApi({ steps: [{ text: "One." }] });
    agent.send(user([block, { type: "text", text: "and this" }]));
    await results(agent, 1);
    expect(agent.lines[0]).toMatchObject({ subtype: "error", message: expect.stringContaining(named) });
    const [message] = expectSoundHistory(api.requests[0]?.body.messages);
    expect(blocksOf(message)).toMatchObject([{ text: "and this" }]);
    agent.send(user([block]));
    await agent.line(({ message }) => String(message).includes("no usable content"));
    expect(said(agent).filter((word) => word === "success")).toHaveLength(1);
    // The last message has no answer.
    expect(await close(agent)).toBe(1);
  });
});

test("a failed model call is an error result, and the next turn continues", { timeout: 30_000 }, async () => {
  const { agent } = await openWithApi({
    steps: [
      { type: "error", status: 402, error: { type: "billing_error", message: "no credit" } },
      { text: "Again." },
    ],
  });
  agent.send(user("hello"));
  expect(await results(agent, 1)).toMatchObject([{ subtype: "error", is_error: true }]);
  agent.send(user("hello"));
  expect(await results(agent, 2)).toMatchObject([{}, { subtype: "success", result: "Again." }]);
  expect(await close(agent)).toBe(0);
});
