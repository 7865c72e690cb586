import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { startAgent } from "../agent-process.ts";
import { ASKED, bash, newApi, playing, STUBBORN, UNASKED } from "../model-source.ts";
import { expectNothingLeft, newPlace } from "../place.ts";
import { asks, blocksOf, holds, is, isResult, prompt, request } from "../wire.ts";

const SLOW = { text: "one two three four five six", chunkSize: 4, chunkDelay: 20 };

describe("the end of input", { timeout: 30_000 }, () => {
  test("before any prompt ends the process with 0 and without output", async () => {
    const place = await newPlace();
    const agent = startAgent(place, { args: await playing(place, { steps: [] }) });
    agent.child.stdin.end();
    expect(await agent.ended()).toEqual({ code: 0, signal: null });
    expect(agent.lines).toEqual([]);
  });

  test("right after the prompt does not truncate the answer", async () => {
    const place = await newPlace();
    const agent = startAgent(place, { args: await playing(place, { steps: [SLOW] }) });
    agent.send(prompt("count"));
    agent.child.stdin.end();
    expect(await agent.ended()).toEqual({ code: 0, signal: null });
    expect(agent.lines.filter(isResult)).toMatchObject([{ subtype: "success", result: SLOW.text }]);
  });

  test("after a prompt without a newline does not truncate the answer", async () => {
    const place = await newPlace();
    const agent = startAgent(place, { args: await playing(place, { steps: [{ text: "heard" }] }) });
    agent.child.stdin.end(JSON.stringify(prompt("no newline")));
    expect(await agent.ended()).toEqual({ code: 0, signal: null });
    expect(agent.lines.filter(isResult)).toMatchObject([{ result: "heard" }]);
  });

  test("while the model replies lets the reply finish", async () => {
    const place = await newPlace();
    const args = [...(await playing(place, { steps: [SLOW] })), "--include-partial-messages"];
    const agent = startAgent(place, { args });
    agent.send(prompt("count"));
    await agent.line(is("stream_event"));
    agent.child.stdin.end();
    expect(await agent.ended()).toEqual({ code: 0, signal: null });
    expect(agent.lines.filter(isResult)).toMatchObject([{ subtype: "success", result: SLOW.text }]);
  });

  test("while a tool runs lets the tool and the turn finish", async () => {
    const place = await newPlace();
    const command = "touch running; sleep 0.3; echo through";
    const script = { steps: [{ content: [bash(command)] }, { text: "done" }] };
    const agent = startAgent(place, { args: [...(await playing(place, script)), ...UNASKED] });
    agent.send(prompt("work"));
    await place.file("running");
    agent.child.stdin.end();
    expect(await agent.ended()).toEqual({ code: 0, signal: null });
    expect(JSON.stringify(agent.lines.find(holds("tool_result")))).toContain("through");
    expect(agent.lines.filter(isResult)).toMatchObject([{ subtype: "success", result: "done" }]);
  });

  test("after a turn ends the process at once", async () => {
    const place = await newPlace();
    const agent = startAgent(place, { args: await playing(place, { steps: [{ text: "done" }] }) });
    agent.send(prompt("go"));
    await agent.line(isResult);
    agent.child.stdin.end();
    expect(await agent.ended(4000)).toEqual({ code: 0, signal: null });
  });

  test("after a turn that failed ends the process with 1", async () => {
    const place = await newPlace();
    const script = { steps: [{ text: "fine" }, { type: "error" as const, status: 403 }] };
    const agent = startAgent(place, { args: await playing(place, script) });
    agent.send(prompt("go"));
    await agent.line(isResult);
    agent.send(prompt("go on"));
    agent.child.stdin.end();
    expect(await agent.ended()).toEqual({ code: 1, signal: null });
    expect(agent.lines.filter(isResult)).toMatchObject([{ is_error: false }, { is_error: true }]);
  });

  test("after several prompts lets them all be answered, and each named one completed", async () => {
    const place = await newPlace();
    const api = await newApi({ steps: [SLOW, { text: "the rest" }] });
    const agent = startAgent(place, { env: api.env });
    const uuids = ["0001", "0002", "0003"].map((tail) => `11111111-2222-4333-8444-55555555${tail}`);
    for (const [index, uuid] of uuids.entries()) agent.send(prompt(`question ${index}`, { uuid }));
    agent.child.stdin.end();
    expect(await agent.ended()).toEqual({ code: 0, signal: null });
    const completed = agent.lines.filter((line) => line.state === "completed");
    expect(completed.map((line) => line.command_uuid)).toEqual(uuids);
    expect(agent.lines.filter(isResult)).toMatchObject([{ result: SLOW.text }, { result: "the rest" }]);
    expect(JSON.stringify(api.requests.at(-1)?.body.messages)).toContain("question 2");
  });

  test("while a permission question is open denies it, and the turn continues", async () => {
    const place = await newPlace();
    const script = { steps: [{ content: [bash("touch forbidden")] }, { text: "then not" }] };
    const agent = startAgent(place, { args: [...(await playing(place, script)), ...ASKED] });
    agent.send(prompt("try"));
    await agent.line(asks("can_use_tool"));
    agent.child.stdin.end();
    expect(await agent.ended(4000)).toEqual({ code: 0, signal: null });
    const [result] = blocksOf(agent.lines.find(holds("tool_result"))?.message);
    expect(result).toMatchObject({ type: "tool_result", is_error: true });
    expect(agent.lines.filter(isResult)).toMatchObject([
      { subtype: "success", result: "then not", permission_denials: [{ tool_name: "Bash" }] },
    ]);
    await expect(readFile(join(place.cwd, "forbidden"))).rejects.toThrow("ENOENT");
  });

  test.each([["PreToolUse"], ["UserPromptSubmit"], ["Stop"], ["PostToolUse"]])(
    "while a %s callback is open still ends the process",
    async (event) => {
      const place = await newPlace();
      const script = { steps: [{ content: [bash("true")] }, { text: "over" }] };
      const agent = startAgent(place, { args: [...(await playing(place, script)), ...UNASKED] });
      agent.send(request("r1", "initialize", { hooks: { [event]: [{ hookCallbackIds: ["hook_0"] }] } }));
      agent.send(prompt("go"));
      await agent.line(asks("hook_callback"));
      agent.child.stdin.end();
      expect((await agent.ended(4000)).signal).toBe(null);
      expect(agent.lines.filter(isResult)).toHaveLength(1);
      await expectNothingLeft(place);
    },
  );

  test("while a background task runs waits for it and lets the model react to it", async () => {
    const place = await newPlace();
    const command = "touch running; sleep 0.4; echo finished";
    const script = {
      steps: [
        { content: [bash(command, { run_in_background: true })] },
        { text: "begun" },
        { text: "heard" },
      ],
    };
    const agent = startAgent(place, { args: [...(await playing(place, script)), ...UNASKED] });
    agent.send(prompt("start it"));
    await agent.line(isResult);
    agent.child.stdin.end();
    expect(await agent.ended()).toEqual({ code: 0, signal: null });
    expect(agent.lines.filter(isResult)).toMatchObject([{ result: "begun" }, { result: "heard" }]);
    await expectNothingLeft(place);
  });

  test("while a background task never ends waits up to the limit, and ends the task", async () => {
    const place = await newPlace();
    const script = { steps: [{ content: [bash(STUBBORN, { run_in_background: true })] }, { text: "begun" }] };
    const agent = startAgent(place, {
      args: [...(await playing(place, script)), ...UNASKED],
      env: { CLAUDE_CODE_PRINT_BG_WAIT_CEILING_MS: "300" },
    });
    agent.send(prompt("start it"));
    await place.file("running");
    agent.child.stdin.end();
    expect((await agent.ended(4000)).signal).toBe(null);
    await expectNothingLeft(place);
  });
});
