import { randomUUID } from "node:crypto";
import { writeFileSync } from "node:fs";
import { describe, expect, test, vi } from "vitest";
import { openBench } from "./bench.ts";
import { openLive, userMessage } from "./live.ts";
import { kinds, ofType, resultOf } from "./messages.ts";
import { sentMessages } from "./requests.ts";
import { say, use } from "./script.ts";

vi.setConfig({ testTimeout: 30_000 });

describe("a prompt", () => {
  test("as a string yields init, an answer and a result", async () => {
    const bench = await openBench({ steps: [say("hello")] });
    const talk = await bench.ask("hi");
    expect(talk.error).toBeUndefined();
    expect(kinds(talk)).toEqual(["system/init", "assistant", "result/success"]);
    expect(resultOf(talk)).toMatchObject({ result: "hello", num_turns: 1, is_error: false });
    expect(sentMessages(bench, 0)).toContain('"hi"');
  });

  test("as a stream keeps one session for all turns", async () => {
    const bench = await openBench({ steps: [say("one"), say("two")] });
    const live = openLive(bench);
    live.send("first");
    const first = await live.until("result");
    live.send("second");
    const second = await live.until("result");
    const talk = await live.end();
    expect(talk.error).toBeUndefined();
    expect([first, second]).toMatchObject([{ result: "one" }, { result: "two" }]);
    expect(second.session_id).toBe(first.session_id);
    expect(ofType(talk, "system")).toHaveLength(2);
    expect(sentMessages(bench, 1)).toMatch(/first.*one.*second/);
  });

  test("as a stream that has already ended is still answered", async () => {
    const bench = await openBench({ steps: [say("answered")] });
    async function* prompts() {
      yield userMessage("hi");
    }
    expect(resultOf(await bench.ask(prompts()))).toMatchObject({ result: "answered" });
  });

  test("may contain an image", async () => {
    const bench = await openBench({ steps: [say("a pixel")] });
    const image = {
      type: "image" as const,
      source: { type: "base64" as const, media_type: "image/png" as const, data: PIXEL },
    };
    async function* prompts() {
      yield userMessage("", {
        message: { role: "user", content: [{ type: "text", text: "what is it?" }, image] },
      });
    }
    expect(resultOf(await bench.ask(prompts()))).toMatchObject({ result: "a pixel" });
    expect(sentMessages(bench, 0)).toContain(PIXEL);
  });

  test("in each of two parallel queries is answered in a separate session", async () => {
    const bench = await openBench({ steps: [say("same"), say("same")] });
    const talks = await Promise.all([bench.ask("a"), bench.ask("b")]);
    const results = talks.map(resultOf);
    expect(results).toMatchObject([{ result: "same" }, { result: "same" }]);
    expect(new Set(results.map((result) => result.session_id)).size).toBe(2);
  });

  test("sent while a tool runs joins the running turn", async () => {
    const bench = await openBench({
      steps: [
        use("Bash", { command: "touch started; until test -e go; do sleep 0.02; done", description: "Wait" }),
        say("both answered"),
      ],
    });
    const live = openLive(bench, { allowedTools: ["Bash"] });
    live.send("first");
    await bench.appears("started");
    live.send("second");
    // The prompt has arrived when a later request has been answered.
    await live.query.mcpServerStatus();
    writeFileSync(bench.path("go"), "");
    expect(await live.until("result")).toMatchObject({ result: "both answered" });
    const talk = await live.end();
    expect(sentMessages(bench, 1)).toContain("second");
    expect(ofType(talk, "result")).toHaveLength(1);
  });

  test("is sent back under its id if the host asks for that", async () => {
    const bench = await openBench({ steps: [say("hello")] });
    const uuid = randomUUID();
    async function* prompts() {
      yield userMessage("hi", { uuid });
    }
    const talk = await bench.ask(prompts(), { extraArgs: { "replay-user-messages": null } });
    expect(ofType(talk, "user")).toMatchObject([{ uuid, isReplay: true, message: { content: "hi" } }]);
  });

  test("with a command of the project expands to its file's text", async () => {
    const bench = await openBench(
      { steps: [say("hello")] },
      { ".claude/commands/greet.md": "---\ndescription: Greets\n---\nSay hello to $ARGUMENTS" },
    );
    await bench.ask("/greet Ada");
    expect(sentMessages(bench, 0)).toContain("Say hello to Ada");
  });

  test("with a slash command is answered without the model", async () => {
    const bench = await openBench({ steps: [] });
    expect(resultOf(await bench.ask("/context"))).toMatchObject({ subtype: "success", num_turns: 0 });
    expect(bench.api.requests).toHaveLength(0);
  });
});

describe("partial messages", () => {
  test("are the events of the API, with the whole block before its stop", async () => {
    const bench = await openBench({
      steps: [
        {
          content: [
            { type: "thinking", thinking: "hm, well", signature: "c2ln" },
            { type: "text", text: "some words in pieces", chunkSize: 6 },
          ],
        },
      ],
    });
    const talk = await bench.ask("go", { includePartialMessages: true });
    const order = talk.messages.flatMap((message) => {
      if (message.type === "assistant") return [`assistant ${message.message.content[0]?.type}`];
      return message.type === "stream_event" ? [message.event.type] : [];
    });
    expect(order.filter((kind, i) => kind !== order[i - 1])).toEqual([
      "message_start",
      "content_block_start",
      "content_block_delta",
      "assistant thinking",
      "content_block_stop",
      "content_block_start",
      "content_block_delta",
      "assistant text",
      "content_block_stop",
      "message_delta",
      "message_stop",
    ]);
    expect(streamedText(talk)).toBe("some words in pieces");
  });

  test("are not sent to a host that did not ask for them", async () => {
    const bench = await openBench({ steps: [say("whole")] });
    expect(ofType(await bench.ask("go"), "stream_event")).toEqual([]);
  });
});

const PIXEL =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

function streamedText(talk: Parameters<typeof ofType>[0]): string {
  return ofType(talk, "stream_event")
    .flatMap(({ event }) =>
      event.type === "content_block_delta" && event.delta.type === "text_delta" ? [event.delta.text] : [],
    )
    .join("");
}
