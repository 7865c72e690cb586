import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { JsonObject } from "@agentwire/protocol";
import { describe, expect, test } from "vitest";
import { bash, UNASKED } from "../model-source.ts";
import { close, of, openWithApi, results, STATUS, said, startScripted, user } from "./miriad-agent.ts";

const SEEDED_TYPES = new Set(["assistant", "result", "system"]);
const PIXEL =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
const image = { type: "image", source: { type: "base64", media_type: "image/png", data: PIXEL } };

describe("status", { timeout: 30_000 }, () => {
  test("in the same chunk as a message reports a running turn, and later an idle session", async () => {
    const agent = await startScripted({ steps: [{ text: "One." }, { text: "Two." }] });
    agent.send(STATUS, user("one"), STATUS);
    await results(agent, 1);
    agent.send(STATUS);
    await agent.line(of("status"), agent.lines.findIndex(of("success")));
    // When the second message arrives, the session is already open.
    agent.send(user("two"), STATUS);
    await results(agent, 2);
    expect(agent.lines.filter(of("status")).map(({ running }) => running)).toEqual([
      false,
      true,
      false,
      true,
    ]);
    expect(await close(agent)).toBe(0);
  });
});

describe("the result of a tool", { timeout: 30_000 }, () => {
  test.each([
    ["a success", "seq 1 20000", false],
    ["a failure", "seq 1 20000; exit 3", true],
  ])("is sent in full even if the model gets only a part of it: %s", async (_name, command, isError) => {
    const { agent, api } = await openWithApi(
      { steps: [{ content: [bash(command)] }, { text: "Counted." }] },
      UNASKED,
    );
    agent.send(user("count"));
    await results(agent, 1);
    const { tool_result } = agent.lines.find(of("tool_result")) as { tool_result: JsonObject };
    const numbers = String(tool_result.content)
      .split("\n")
      .filter((line) => /^\d+$/.test(line));
    expect(numbers).toHaveLength(20_000);
    expect(numbers.at(-1)).toBe("20000");
    expect(tool_result.is_error === true).toBe(isError);
    expect(JSON.stringify(api.requests[1]?.body.messages).length).toBeLessThan(60_000);
  });
});

describe("a line that is not a message of a host", { timeout: 30_000 }, () => {
  const assistant = {
    type: "assistant",
    message: { role: "assistant", content: [{ type: "text", text: "I" }] },
  };

  test("is reported as such and starts no turn", async () => {
    const lines: readonly (readonly [JsonObject, RegExp])[] = [
      [assistant, /^Unknown message type: assistant$/],
      [{ type: "system", subtype: "init" }, /^Unknown message type: system$/],
      [{ type: "result", subtype: "success" }, /^Unknown message type: result$/],
      [user(5), /content should be a string or a list of content blocks, not 5/],
      [user({ text: "hi" }), /content should be .* not \{"text":"hi"\}/],
      [user(null), /content should be .* not null/],
      [{ ...user("hi"), session_id: 5 }, /session_id should be a string, not 5/],
    ];
    const agent = await startScripted({ steps: [] });
    agent.send(...lines.map(([line]) => line));
    await close(agent);
    expect(said(agent)).toEqual(lines.map(() => "error"));
    for (const [at, [, words]] of lines.entries()) expect(agent.lines[at]?.message).toMatch(words);
  });
});

describe("messages injected together", { timeout: 30_000 }, () => {
  test("become one text separated by empty lines, and count as one, next to an image", async () => {
    const steps = [{ content: [bash("while [ ! -e go ]; do sleep 0.02; done")] }, { text: "Seen." }];
    const { agent, api } = await openWithApi({ steps }, UNASKED);
    agent.send(user("look"));
    await agent.line(({ type }) => type === "assistant");
    agent.send(user("Hello"), user([{ type: "text", text: "World!" }, image]), user([image]));
    await agent.line(({ position }) => position === 3);
    await writeFile(join(agent.place.cwd, "go"), "");
    await results(agent, 1);
    expect(agent.lines.find(of("injected"))).toMatchObject({ message_count: 3, content_length: 13 });
    const messages = JSON.stringify(api.requests[1]?.body.messages);
    expect(messages).toContain(JSON.stringify("Hello\n\nWorld!"));
    expect(messages.split(PIXEL)).toHaveLength(3);
  });
});

describe("what the agent writes", { timeout: 30_000 }, () => {
  test.each(["/clear", "/compact", "/context", "/cost"])(
    "has only the dialect's types: %s",
    async (command) => {
      const agent = await startScripted({ steps: [{ text: "Hi." }], whenExhausted: { text: "A summary." } });
      agent.send(user("hello"));
      await results(agent, 1);
      agent.send(user(command));
      await results(agent, 2);
      await close(agent);
      expect(agent.lines.filter(({ type }) => !SEEDED_TYPES.has(String(type)))).toEqual([]);
      if (command === "/clear")
        expect(agent.lines.find(of("conversation_reset"))).toMatchObject({ type: "system" });
    },
  );
});
