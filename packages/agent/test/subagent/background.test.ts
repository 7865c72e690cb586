import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { openAgent, startAgent } from "../agent-process.ts";
import { bash, newApi, UNASKED } from "../model-source.ts";
import { expectNothingLeft, newPlace } from "../place.ts";
import { is, isResult, prompt, request } from "../wire.ts";

const delegate = (more: object = {}) => ({
  type: "tool_use",
  name: "Agent",
  input: { description: "look around", prompt: "Look.", ...more },
});

describe("a subagent", { timeout: 30_000 }, () => {
  test.each<{
    where: string;
    input: object;
    env: Readonly<Record<string, string>>;
    isBackgrounded: boolean;
  }>([
    { where: "in the background", input: {}, env: {}, isBackgrounded: true },
    {
      where: "in the foreground",
      input: { run_in_background: false },
      env: {},
      isBackgrounded: false,
    },
    {
      where: "in the foreground",
      input: {},
      env: { CLAUDE_CODE_DISABLE_BACKGROUND_TASKS: "1" },
      isBackgrounded: false,
    },
  ])("runs $where if requested with $input and $env", async ({ input, env, isBackgrounded }) => {
    const place = await newPlace();
    const api = await newApi({
      steps: [{ content: [delegate(input)] }],
      whenExhausted: { text: "seen", delayBefore: 20 },
    });
    const agent = openAgent(place, { env: { ...api.env, ...env } });
    agent.send(prompt("go"));
    agent.input.end();
    await agent.ended();
    expect(agent.lines.find(is("system", "task_started"))).toMatchObject({ is_backgrounded: isBackgrounded });
    const results = agent.lines.filter(isResult);
    expect(results).toHaveLength(isBackgrounded ? 2 : 1);
    expect(results[0]).toMatchObject({ queued_turn_count: 0 });
    const own = agent.lines.filter((line) => typeof line.parent_tool_use_id === "string");
    expect(own.map((line) => line.type)).toEqual([isBackgrounded ? "assistant" : "user"]);
  });
});

describe("a subagent in the background", { timeout: 30_000 }, () => {
  test("that ends during a turn is reported to the model between two steps", async () => {
    const place = await newPlace();
    const wait = "until [ -e told ]; do sleep 0.02; done";
    const api = await newApi({
      steps: [{ content: [bash("echo seen", { run_in_background: true })] }, { content: [bash(wait)] }],
      whenExhausted: { text: "done" },
    });
    const agent = openAgent(place, { env: api.env, args: UNASKED });
    agent.send(prompt("go"));
    await agent.line(is("system", "task_notification"));
    await writeFile(join(place.cwd, "told"), "");
    expect(await agent.line(isResult)).toMatchObject({ result: "done", num_turns: 3 });
    agent.input.end();
    await agent.ended();
    expect(agent.lines.filter(isResult)).toHaveLength(1);
    const messages = JSON.stringify(api.requests.at(-1)?.body.messages);
    expect(messages).toContain("<task-notification>");
    expect(messages).not.toContain("The user sent this");
  });

  test("starts another turn when it ends, and leaves its report in a file", async () => {
    const place = await newPlace();
    const api = await newApi({
      steps: [{ content: [delegate({ run_in_background: true })] }],
      whenExhausted: { text: "seen", delayBefore: 20 },
    });
    const agent = openAgent(place, { env: api.env });
    agent.send(prompt("go"));
    agent.input.end();
    expect(await agent.ended()).toMatchObject({ code: 0 });
    const results = agent.lines.filter(isResult);
    expect(results.at(-1)).toMatchObject({
      origin: { kind: "task-notification", runId: expect.any(String) },
    });
    expect(results[0]).not.toHaveProperty("origin");
    const ended = agent.lines.find(is("system", "task_notification"));
    expect(ended).toMatchObject({ status: "completed", summary: "seen" });
    expect(await readFile(String(ended?.output_file), "utf8")).toBe("seen");
    expect(agent.lines.filter(is("system", "background_tasks_changed")).at(-1)).toMatchObject({ tasks: [] });
  });

  test("is ended by an interrupt, unless the host stops tasks individually", async () => {
    for (const perTaskStopAffordance of [false, true]) {
      const place = await newPlace();
      const api = await newApi({
        steps: [
          { content: [bash("touch running; sleep 60", { run_in_background: true })] },
          { text: "started" },
        ],
      });
      const agent = startAgent(place, { env: api.env, args: UNASKED });
      agent.send(request("hello", "initialize", { perTaskStopAffordance }), prompt("go"));
      await agent.line(isResult);
      await place.file("running");
      agent.send(request("stop", "interrupt"));
      if (!perTaskStopAffordance) await agent.line(is("system", "task_notification"));
      else {
        agent.send(request("list", "get_binary_version"));
        await agent.line((line) => JSON.stringify(line).includes('"list"'));
        expect(agent.lines.filter(is("system", "task_notification"))).toEqual([]);
      }
      agent.child.kill("SIGTERM");
      await agent.ended();
      await expectNothingLeft(place);
    }
  });
});
