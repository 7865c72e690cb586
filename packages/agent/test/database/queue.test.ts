import { writeFile } from "node:fs/promises";
import { describe, expect, test } from "vitest";
import { expectSoundHistory } from "../history-checks.ts";
import { bash, UNASKED } from "../model-source.ts";
import { blocksOf, textOf } from "../wire.ts";
import {
  asDocumented,
  close,
  of,
  openScripted,
  openWithApi,
  results,
  STATUS,
  said,
  user,
} from "./miriad-agent.ts";

/** A command that ends when a file of this name exists. */
const waitsFor = (name: string) =>
  bash(`touch running; while [ ! -e ${name} ]; do sleep 0.02; done; echo seen`);
const touch = (name: string) => bash(`touch ${name}`);

describe("a message while a turn runs", { timeout: 30_000 }, () => {
  test("is queued at once, and injected with the others as one user message before the next model call", async () => {
    const { api, agent } = await openWithApi(
      { steps: [{ content: [waitsFor("go")] }, { text: "All of it." }] },
      UNASKED,
    );
    agent.send(user("first", "sess_2"));
    await agent.place.file("running");
    agent.send(
      user("second", "sess_2"),
      user(
        [
          { type: "text", text: "third" },
          { type: "text", text: "4" },
        ],
        "sess_2",
      ),
    );
    await agent.line((line) => line.position === 2);
    agent.send(STATUS);
    expect(await agent.line(of("status"))).toEqual({
      type: "system",
      subtype: "status",
      running: true,
      session_id: "sess_2",
      queued_messages: 2,
    });
    await writeFile(`${agent.place.cwd}/go`, "");
    await results(agent, 1);
    expect(said(agent)).toEqual([
      "assistant",
      "queued",
      "queued",
      "status",
      "tool_result",
      "injected",
      "assistant",
      "success",
    ]);
    const joined = "second\n\nthird\n4";
    expect(agent.lines.slice(1, 3).map(asDocumented)).toEqual([
      { type: "system", subtype: "queued", session_id: "sess_2", position: 1 },
      { type: "system", subtype: "queued", session_id: "sess_2", position: 2 },
    ]);
    expect(asDocumented(agent.lines[5] ?? {})).toEqual({
      type: "system",
      subtype: "injected",
      message_count: 2,
      content_length: joined.length,
    });
    const messages = expectSoundHistory(api.requests[1]?.body.messages);
    expect(blocksOf(messages.at(-1)).map((block) => block.text)).toContain(joined);
    expect(await close(agent)).toBe(0);
  });

  test("is injected before the next model call, not together with its answer", async () => {
    const { api, agent } = await openWithApi(
      { steps: [{ content: [waitsFor("go")] }, { text: "Later.", delayBefore: 100_000 }] },
      UNASKED,
    );
    agent.send(user("first"));
    await agent.place.file("running");
    agent.send(user("naïve 🙂"));
    await agent.line(of("queued"));
    await writeFile(`${agent.place.cwd}/go`, "");
    expect(await agent.line(of("injected"))).toMatchObject({ message_count: 1, content_length: 8 });
    await api.request(1);
    expect(said(agent).at(-1)).toBe("injected");
  });

  test("during the last model call keeps the turn going", async () => {
    const { api, agent } = await openWithApi({
      steps: [{ text: "So far.", delayBefore: 1000 }, { text: "And that." }],
    });
    agent.send(user("first"));
    await api.request(0);
    agent.send(user("second"));
    expect(await results(agent, 1)).toMatchObject([
      { subtype: "success", result: "And that.", num_turns: 0 },
    ]);
    expect(said(agent)).toEqual(["queued", "assistant", "injected", "assistant", "success"]);
    expect(textOf(expectSoundHistory(api.requests[1]?.body.messages).at(-1))).toContain("second");
    expect(await close(agent)).toBe(0);
  });

  test("is queued even right after another one, and two turns never run at once", async () => {
    const agent = await openScripted({ steps: [{ text: "One.", delayBefore: 50 }, { text: "Two." }] });
    agent.send(user("one"), user("two"));
    await agent.line(of("injected"));
    await results(agent, 1);
    expect(said(agent)).toEqual(["queued", "assistant", "injected", "assistant", "success"]);
    expect(await close(agent)).toBe(0);
  });
});

describe("status", { timeout: 30_000 }, () => {
  test("reports an idle session", async () => {
    const agent = await openScripted({ steps: [] });
    agent.send(STATUS);
    expect(await agent.line(of("status"))).toEqual({
      type: "system",
      subtype: "status",
      running: false,
      session_id: "default",
      queued_messages: 0,
    });
    expect(await close(agent)).toBe(0);
  });
});

describe("a reply", { timeout: 30_000 }, () => {
  test("is one line with all of its blocks, before any of its tools runs", async () => {
    const agent = await openScripted(
      {
        steps: [
          { content: [{ type: "text", text: "Both." }, waitsFor("go"), touch("go2")] },
          { text: "Done." },
        ],
      },
      UNASKED,
    );
    agent.send(user("work"));
    await agent.place.file("running");
    const [line] = agent.lines;
    expect(blocksOf(line?.message).map(({ type }) => type)).toEqual(["text", "tool_use", "tool_use"]);
    expect(agent.lines).toHaveLength(1);
    await writeFile(`${agent.place.cwd}/go`, "");
    expect(await results(agent, 1)).toMatchObject([{ num_turns: 1 }]);
    expect(said(agent)).toEqual(["assistant", "tool_result", "tool_result", "assistant", "success"]);
    expect(await close(agent)).toBe(0);
  });

  test("of a failing tool reports the failure with all of its output", async () => {
    const agent = await openScripted(
      { steps: [{ content: [bash("seq 1 3; exit 3")] }, { text: "It failed." }] },
      UNASKED,
    );
    agent.send(user("work"));
    await results(agent, 1);
    expect(agent.lines[1]).toMatchObject({ tool_result: { type: "tool_result", is_error: true } });
    expect(JSON.stringify(agent.lines[1])).toContain("1\\n2\\n3");
    expect(await close(agent)).toBe(0);
  });

  test.each([
    ["Bash", { command: "true", description: "d" }, "bash", { command: "true", description: "d" }],
    [
      "Edit",
      { file_path: "{{cwd}}/f", old_string: "a", new_string: "b" },
      "edit",
      { oldString: "a", newString: "b" },
    ],
    ["Write", { file_path: "{{cwd}}/f", content: "x" }, "write", { content: "x" }],
  ])("spells %s as the miriad dialect does", async (name, input, spelledName, spelledInput) => {
    const agent = await openScripted(
      { steps: [{ content: [{ type: "tool_use", name, input }] }, { text: "Done." }] },
      UNASKED,
    );
    agent.send(user("work"));
    await results(agent, 1);
    const [call] = blocksOf(agent.lines[0]?.message);
    expect(call).toMatchObject({ type: "tool_use", name: spelledName, input: spelledInput });
    expect(await close(agent)).toBe(0);
  });
});
