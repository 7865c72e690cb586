import { readFile } from "node:fs/promises";
import { describe, expect, test } from "vitest";
import { startAgent } from "../process/agent-process.ts";
import { bash, newApi, UNASKED } from "../process/model-source.ts";
import { expectNothingLeft, newPlace } from "../process/place.ts";
import { is, isResult, prompt, request } from "../process/wire.ts";

const delegate = (more: object = {}) => ({
  type: "tool_use",
  name: "Agent",
  input: { description: "look around", prompt: "Look.", ...more },
});

describe("a subagent in the background", { timeout: 30_000 }, () => {
  test("starts a turn of its own when it is done, and leaves its report in a file", async () => {
    const place = await newPlace();
    const api = await newApi({
      steps: [{ content: [delegate({ run_in_background: true })] }],
      whenExhausted: { text: "seen", delayBefore: 20 },
    });
    const agent = startAgent(place, { env: api.env });
    agent.send(prompt("go"));
    agent.child.stdin.end();
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

  test("is ended by an interrupt, unless the host has said that it stops tasks one by one", async () => {
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
