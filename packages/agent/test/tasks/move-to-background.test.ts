import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { openAgent } from "../agent-process.ts";
import { bash, newApi, UNASKED } from "../model-source.ts";
import { expectNothingLeft, newPlace } from "../place.ts";
import { answers, is, isResult, prompt, request } from "../wire.ts";

/** Runs until the file `go` exists, then prints on both outputs. */
const WAITING = bash("touch waiting; while [ ! -e go ]; do sleep 0.02; done; echo out; echo err >&2");
const isCommandEnd = is("system", "task_notification");

describe("work that the conversation waits for moves to the background", { timeout: 30_000 }, () => {
  test("if it is a command: the turn continues, and the end of the command starts another", async () => {
    const place = await newPlace();
    const api = await newApi({
      steps: [{ content: [{ ...WAITING, id: "toolu_w" }] }, { text: "I go on" }, { text: "so it is done" }],
    });
    const agent = openAgent(place, { env: api.env, args: UNASKED });
    agent.send(prompt("go"));
    await place.file("waiting");
    agent.send(request("other", "background_tasks", { tool_use_id: "toolu_x" }));
    expect(await agent.line(answers("other"))).toMatchObject({
      response: { response: { backgrounded: false } },
    });
    agent.send(request("move", "background_tasks", { tool_use_id: "toolu_w" }));
    expect(await agent.line(answers("move"))).toMatchObject({
      response: { response: { backgrounded: true } },
    });
    expect(await agent.line(isResult)).toMatchObject({ result: "I go on" });
    const moved = agent.lines.find((line) => line.type === "user");
    const started = agent.lines.find(is("system", "task_started"));
    expect(started).toMatchObject({ tool_use_id: "toolu_w", is_backgrounded: true });
    expect(moved).toMatchObject({
      tool_use_result: { backgroundTaskId: started?.task_id, backgroundedByUser: true },
    });
    const from = agent.lines.length;
    await writeFile(join(place.cwd, "go"), "");
    const ended = await agent.line(isCommandEnd, from);
    expect(ended).toMatchObject({ task_id: started?.task_id, status: "completed" });
    expect(await readFile(String(ended.output_file), "utf8")).toBe("out\nerr\n");
    expect(await agent.line(isResult, from)).toMatchObject({ result: "so it is done" });
  });

  test("if it is a subagent, which an interrupt of the turn no longer affects", async () => {
    const place = await newPlace();
    const delegate = {
      type: "tool_use",
      name: "Agent",
      input: { description: "look", prompt: "Look.", run_in_background: false },
    };
    const api = await newApi({
      steps: [
        { content: [delegate] },
        { content: [WAITING] },
        { text: "a long tale", stallAfterChunks: 1 },
        { text: "the report" },
        { text: "I have read the report" },
      ],
    });
    const agent = openAgent(place, { env: api.env, args: UNASKED });
    agent.send(request("hello", "initialize", { perTaskStopAffordance: true }), prompt("go"));
    await place.file("waiting");
    const work = agent.lines.find(is("system", "task_started"));
    agent.send(request("move", "background_tasks", { tool_use_id: work?.tool_use_id }));
    await agent.line(is("system", "task_updated"));
    await expect.poll(() => api.requests.length, { timeout: 10_000 }).toBe(3);
    agent.send(request("stop", "interrupt"));
    expect(await agent.line(isResult)).toMatchObject({ terminal_reason: "aborted_streaming" });
    const from = agent.lines.length;
    await writeFile(join(place.cwd, "go"), "");
    expect(await agent.line(is("system", "task_notification"), from)).toMatchObject({
      task_id: work?.task_id,
      status: "completed",
      summary: "the report",
    });
    expect(await agent.line(isResult, from)).toMatchObject({ result: "I have read the report" });
  });

  test("and is ended with the session", async () => {
    const place = await newPlace();
    const api = await newApi({ steps: [{ content: [WAITING] }], whenExhausted: { text: "fine" } });
    const agent = openAgent(place, { env: api.env, args: UNASKED });
    agent.send(request("none", "background_tasks"), prompt("go"));
    expect(await agent.line(answers("none"))).toMatchObject({ response: { response: {} } });
    await place.file("waiting");
    agent.send(request("move", "background_tasks"));
    await agent.line(isResult);
    agent.send(request("end", "end_session"));
    await agent.ended();
    await expectNothingLeft(place);
  });
});
