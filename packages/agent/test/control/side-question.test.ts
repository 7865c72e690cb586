import { describe, expect, test } from "vitest";
import { openAgent } from "../agent-process.ts";
import { bash, newApi, UNASKED } from "../model-source.ts";
import { newPlace } from "../place.ts";
import { answers, is, isResult, prompt, request } from "../wire.ts";

const isStarted = is("system", "control_request_progress");

async function newAgent(steps: readonly object[]) {
  const api = await newApi({ steps });
  const agent = openAgent(await newPlace(), { args: UNASKED, env: api.env });
  agent.send(request("hello", "initialize"));
  return { api, agent };
}

describe("a side question", { timeout: 30_000 }, () => {
  test("is announced, answered from the conversation and earlier side questions, and then forgotten", async () => {
    const { api, agent } = await newAgent([{ text: "one" }, { text: "On the side." }, { text: "two" }]);
    agent.send(prompt("first"));
    await agent.line(isResult);
    const history = [{ question: "What was that?", response: "A greeting." }];
    agent.send(request("aside", "side_question", { question: "And in French?", history }));
    expect(await agent.line(answers("aside"))).toMatchObject({
      response: { subtype: "success", response: { response: "On the side.", synthetic: false } },
    });
    expect(agent.lines.filter(isStarted)).toMatchObject([{ request_id: "aside", status: "started" }]);
    expect(agent.lines.findIndex(isStarted)).toBeLessThan(agent.lines.findIndex(answers("aside")));
    const asked = JSON.stringify(api.requests[1]?.body.messages);
    for (const said of ["first", "one", "What was that?", "A greeting.", "And in French?"])
      expect(asked).toContain(said);
    agent.send(prompt("second"));
    await agent.line(isResult, agent.lines.findIndex(isResult) + 1);
    expect(JSON.stringify(api.requests[2]?.body.messages)).not.toMatch(/French|On the side/);
    agent.input.end();
    expect(await agent.ended()).toMatchObject({ code: 0 });
  });

  test("is answered while a tool runs", async () => {
    const waits = bash("until [ -e go ]; do sleep 0.02; done");
    const { agent } = await newAgent([
      { content: [waits] },
      { text: "I wait." },
      { content: [bash("true")] },
      { text: "done" },
    ]);
    agent.send(prompt("wait"));
    await agent.line(is("assistant"));
    agent.send(request("aside", "side_question", { question: "What are you doing?" }));
    expect(await agent.line(answers("aside"))).toMatchObject({
      response: { response: { response: "I wait." } },
    });
    agent.send(request("stop", "interrupt"));
    expect(await agent.line(isResult)).toMatchObject({ terminal_reason: "aborted_tools" });
    agent.input.end();
    await agent.ended();
  });

  test("gets no answer from the model if it is cancelled, empty, or one too many", async () => {
    const stalled = { text: "never to be heard", stallAfterChunks: 1 };
    const { api, agent } = await newAgent([stalled, stalled, stalled, stalled]);
    agent.send(request("empty", "side_question", { question: " " }));
    expect(await agent.line(answers("empty"))).toMatchObject({ response: { subtype: "error" } });
    for (const id of ["1", "2", "3", "4"]) {
      agent.send(request(id, "side_question", { question: "Well?" }));
      await api.request(Number(id) - 1);
    }
    agent.send(request("5", "side_question", { question: "Well?" }));
    expect(await agent.line(answers("5"))).toMatchObject({
      response: { subtype: "error", error_code: "side_question_busy" },
    });
    agent.send({ type: "control_cancel_request", request_id: "1" });
    expect(await api.requests[0]?.end).toBe("broken");
    agent.input.end();
    expect(await agent.ended()).toMatchObject({ code: 0 });
  });
});
