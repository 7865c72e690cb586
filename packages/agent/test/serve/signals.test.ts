import { describe, expect, test } from "vitest";
import { startAgent } from "../agent-process.ts";
import { ASKED, bash, newApi, STUBBORN, UNASKED } from "../model-source.ts";
import { expectNothingLeft, newPlace } from "../place.ts";
import { asks, holds, is, isResult, prompt } from "../wire.ts";

const STREAMING_FOREVER = { steps: [{ text: "word ".repeat(20), chunkSize: 5, stallAfterChunks: 3 }] };
const WORKING_FOREVER = { steps: [{ content: [bash(STUBBORN)] }] };
const isToolUse = holds("tool_use");

describe("SIGINT", { timeout: 30_000 }, () => {
  test("while the model replies ends the turn with its result, then the process with 0", async () => {
    const place = await newPlace();
    const api = await newApi(STREAMING_FOREVER);
    const agent = startAgent(place, { env: api.env, args: ["--include-partial-messages"] });
    agent.send(prompt("talk"));
    await agent.line((line) => is("stream_event")(line) && JSON.stringify(line).includes("text_delta"));
    agent.child.kill("SIGINT");
    expect(await agent.ended(4000)).toEqual({ code: 0, signal: null });
    expect(agent.lines.filter(isResult)).toMatchObject([
      { subtype: "error_during_execution", terminal_reason: "aborted_streaming" },
    ]);
    expect(agent.lines.at(-1)).toMatchObject({ type: "result" });
    expect(await (await api.request(0)).end).toBe("broken");
    await expectNothingLeft(place);
  });

  test("while a tool that ignores signals runs ends the tool, the turn and the process", async () => {
    const place = await newPlace();
    const api = await newApi(WORKING_FOREVER);
    const agent = startAgent(place, { env: api.env, args: UNASKED });
    agent.send(prompt("work"));
    await place.file("running");
    agent.child.kill("SIGINT");
    expect(await agent.ended(4000)).toEqual({ code: 0, signal: null });
    expect(agent.lines.filter(isResult)).toMatchObject([{ terminal_reason: "aborted_tools" }]);
    await expectNothingLeft(place);
  });

  test("while idle ends the process with 0 and without output", async () => {
    const place = await newPlace();
    const api = await newApi({ steps: [{ text: "one" }] });
    const agent = startAgent(place, { env: api.env });
    agent.send(prompt("one"));
    await agent.line(isResult);
    const said = agent.lines.length;
    agent.child.kill("SIGINT");
    expect(await agent.ended(4000)).toEqual({ code: 0, signal: null });
    expect(agent.lines.slice(said)).toEqual([]);
  });
});

describe("SIGTERM", { timeout: 30_000 }, () => {
  const phases = [
    {
      phase: "the model replies",
      script: STREAMING_FOREVER,
      args: ["--include-partial-messages"],
      reached: is("stream_event"),
    },
    {
      phase: "the model has not answered yet",
      script: { steps: [{ text: "late", delayBefore: 60_000 }] },
      args: [],
      reached: is("system", "init"),
    },
    {
      phase: "a failed model call is repeated",
      script: failing(),
      args: [],
      reached: is("system", "api_retry"),
    },
    { phase: "a tool has been called", script: WORKING_FOREVER, args: UNASKED, reached: isToolUse },
    {
      phase: "the host is asked for permission",
      script: WORKING_FOREVER,
      args: ASKED,
      reached: asks("can_use_tool"),
    },
    {
      phase: "a background task runs",
      script: { steps: [{ content: [bash(STUBBORN, { run_in_background: true })] }, { text: "started" }] },
      args: UNASKED,
      reached: isResult,
    },
  ];

  test.each(phases)(
    "while $phase exits with 143 at once, without a result",
    async ({ script, args, reached }) => {
      const place = await newPlace();
      const api = await newApi(script);
      const agent = startAgent(place, { env: api.env, args });
      agent.send(prompt("go"));
      const before = await agent.line(reached);
      const results = isResult(before) ? 1 : 0;
      agent.child.kill("SIGTERM");
      expect(await agent.ended(4000)).toEqual({ code: 143, signal: null });
      expect(agent.lines.filter(isResult)).toHaveLength(results);
      await expectNothingLeft(place);
    },
  );

  test.each([
    ["SIGTERM", 143],
    ["SIGHUP", 129],
  ] as const)("while idle ends the process: %s by %d", async (signal, code) => {
    const place = await newPlace();
    const api = await newApi({ steps: [{ text: "one" }] });
    const agent = startAgent(place, { env: api.env });
    agent.send(prompt("one"));
    await agent.line(isResult);
    agent.child.kill(signal);
    expect(await agent.ended(4000)).toEqual({ code, signal: null });
  });
});

function failing() {
  return {
    steps: [],
    whenExhausted: { type: "error" as const, status: 529, headers: { "retry-after": "30" } },
  };
}
