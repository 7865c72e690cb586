import { randomUUID } from "node:crypto";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Script } from "@agentwire/models/script";
import type { JsonObject } from "@agentwire/protocol";
import { describe, expect, test } from "vitest";
import { type AgentTalk, openAgent } from "../agent-process.ts";
import { ASKED, bash, newApi, UNASKED } from "../model-source.ts";
import { newPlace, type Place } from "../place.ts";
import { answer, answers, asks, is, isResult, prompt, request } from "../wire.ts";

interface Moment {
  readonly when: string;
  readonly script: Script;
  readonly args?: readonly string[];
  readonly first?: readonly JsonObject[];
  prepare?(place: Place): Promise<void>;
  /** Resolves at the moment to interrupt. */
  reached(agent: AgentTalk, place: Place): Promise<unknown>;
}

const hooked = (event: string) =>
  request("hello", "initialize", { hooks: { [event]: [{ hookCallbackIds: ["h1"], onFailure: "block" }] } });

const MOMENTS: readonly Moment[] = [
  {
    when: "a UserPromptSubmit hook is running",
    script: { steps: [] },
    first: [hooked("UserPromptSubmit")],
    reached: (agent) => agent.line(asks("hook_callback")),
  },
  {
    when: "an MCP server does not answer",
    script: { steps: [] },
    first: [request("hello", "initialize", { sdkMcpServers: ["slow"] })],
    reached: (agent) => agent.line(asks("mcp_message")),
  },
  {
    when: "a failed model call waits to be repeated",
    script: { steps: [{ type: "error", status: 529, headers: { "retry-after": "60" } }] },
    reached: (agent) => agent.line(is("system", "api_retry")),
  },
  {
    when: "the host is asked for permission",
    script: { steps: [{ content: [bash("touch made")] }] },
    args: ASKED,
    reached: (agent) => agent.line(asks("can_use_tool")),
  },
  {
    when: "a PreToolUse hook is running",
    script: { steps: [{ content: [bash("touch made")] }] },
    args: UNASKED,
    first: [hooked("PreToolUse")],
    reached: (agent) => agent.line(asks("hook_callback")),
  },
  {
    when: "a Stop hook is running",
    script: { steps: [{ text: "done" }] },
    first: [hooked("Stop")],
    reached: (agent) => agent.line(asks("hook_callback")),
  },
  {
    when: "a subagent works",
    script: {
      steps: [
        {
          content: [
            {
              type: "tool_use",
              name: "Agent",
              input: { description: "d", prompt: "p", run_in_background: false },
            },
          ],
        },
        { text: "never said", stallAfterChunks: 0 },
      ],
    },
    reached: (agent) => agent.line(is("system", "task_started")),
  },
  {
    when: "a command hook of the settings is running",
    script: { steps: [] },
    async prepare(place) {
      const hook = { type: "command", command: "[ -e hooking ] || { touch hooking; sleep 60; }" };
      await mkdir(place.configDir, { recursive: true });
      const settings = { hooks: { UserPromptSubmit: [{ hooks: [hook] }] } };
      await writeFile(join(place.configDir, "settings.json"), JSON.stringify(settings));
    },
    reached: (_agent, place) => place.file("hooking"),
  },
];

describe("an interrupt", { timeout: 30_000 }, () => {
  test.each(MOMENTS)(
    "while $when ends the turn with one result, and the next prompt is answered",
    async (moment) => {
      const place = await newPlace();
      await moment.prepare?.(place);
      const api = await newApi({ ...moment.script, whenExhausted: { text: "all is well" } });
      const agent = openAgent(place, { env: api.env, args: moment.args ?? [] });
      agent.send(...(moment.first ?? []), prompt("go"));
      await moment.reached(agent, place);
      agent.send(request("stop", "interrupt"));
      await agent.line(isResult);
      expect(agent.lines.find(answers("stop"))).toMatchObject({
        response: { subtype: "success", response: { still_queued: [] } },
      });
      expect(agent.lines.filter(isResult)).toMatchObject([
        {
          subtype: "error_during_execution",
          is_error: true,
          terminal_reason: expect.stringMatching(/^aborted/),
        },
      ]);
      const from = agent.lines.length;
      // All later questions are answered.
      agent.onLine = (line) => {
        if (line.type === "control_request") agent.send(answer(line.request_id, {}));
      };
      agent.send(
        request("hello again", "initialize", { hooks: {} }),
        request("off", "mcp_set_servers", { servers: {} }),
      );
      await agent.line(answers("off"), from);
      agent.send(prompt("and now?"));
      expect(await agent.line(isResult, from)).toMatchObject({ subtype: "success", result: "all is well" });
      agent.input.end();
      expect(await agent.ended()).toMatchObject({ code: 0 });
    },
  );

  test.each([
    { order: "after a prompt", isFirst: false, reason: "aborted_streaming" },
    { order: "before a prompt", isFirst: true, reason: "completed" },
  ])("sent $order in one chunk ends only what was sent before it", async ({ isFirst, reason }) => {
    const api = await newApi({ steps: [], whenExhausted: { text: "heard" } });
    const agent = openAgent(await newPlace(), { env: api.env });
    const stop = request("stop", "interrupt");
    const said = isFirst ? [stop, prompt("go")] : [prompt("go"), stop];
    agent.send(request("hello", "initialize"), ...said);
    expect(await agent.line(isResult)).toMatchObject({ terminal_reason: reason });
    expect(agent.lines.filter(answers("stop"))).toHaveLength(1);
  });

  test("of /compact leaves the conversation unchanged", async () => {
    const place = await newPlace();
    const api = await newApi({
      steps: [{ text: "one" }, { text: "a summary", stallAfterChunks: 0 }, { text: "two" }],
    });
    const agent = openAgent(place, { env: api.env });
    agent.send(prompt("first words"));
    await agent.line(isResult);
    const from = agent.lines.length;
    agent.send(prompt("/compact"));
    await api.request(1);
    agent.send(request("stop", "interrupt"));
    expect(await agent.line(isResult, from)).toMatchObject({ terminal_reason: "aborted_streaming" });
    expect(agent.lines.slice(from).filter(is("system", "status"))).toMatchObject([
      { status: "compacting" },
      { status: null, compact_result: "failed" },
    ]);
    agent.send(prompt("last words"));
    await agent.line((line) => isResult(line) && line.result === "two", from);
    const { body } = await api.request(2);
    expect(JSON.stringify(body.messages)).toContain("first words");
  });

  test("withdraws an open question, and the call counts as denied", async () => {
    const api = await newApi({ steps: [{ content: [bash("touch one"), bash("touch two")] }] });
    const agent = openAgent(await newPlace(), { env: api.env, args: ASKED });
    agent.send(prompt("go"));
    const { request_id } = await agent.line(asks("can_use_tool"));
    agent.send(request("stop", "interrupt"));
    expect(await agent.line(isResult)).toMatchObject({
      terminal_reason: "aborted_tools",
      // There was no question about the second call.
      permission_denials: [{ tool_name: "Bash", tool_input: { command: "touch one" } }],
    });
    const order = agent.lines.filter((line) => line.request_id === request_id || answers("stop")(line));
    expect(order.map(({ type }) => type)).toEqual([
      "control_request",
      "control_cancel_request",
      "control_response",
    ]);
  });

  test("by a denial ends the turn, and the calls after it never run", async () => {
    const place = await newPlace();
    const api = await newApi({ steps: [{ content: [bash("touch one"), bash("touch two")] }] });
    const agent = openAgent(place, { env: api.env, args: ASKED });
    agent.onLine = (line) => {
      if (asks("can_use_tool")(line))
        agent.send(answer(line.request_id, { behavior: "deny", message: "no", interrupt: true }));
    };
    agent.send(prompt("go"));
    expect(await agent.line(isResult)).toMatchObject({
      subtype: "error_during_execution",
      terminal_reason: "aborted_tools",
      permission_denials: [{ tool_name: "Bash" }],
    });
    expect(agent.lines.filter(asks("can_use_tool"))).toHaveLength(1);
  });
});

test("an interrupt that clears the queue also drops prompts without a name", async () => {
  const place = await newPlace();
  const api = await newApi({
    steps: [{ text: "a long tale", stallAfterChunks: 1 }],
    whenExhausted: { text: "fresh" },
  });
  const agent = openAgent(place, { env: api.env });
  agent.send(prompt("tell"));
  await api.request(0);
  const uuid = randomUUID();
  agent.send(
    prompt("nameless"),
    prompt("named", { uuid }),
    request("stop", "interrupt", { cancel_queued: true }),
  );
  expect(await agent.line(answers("stop"))).toMatchObject({
    response: { response: { still_queued: [], cancelled: [uuid] } },
  });
  await agent.line(isResult);
  const from = agent.lines.length;
  agent.send(prompt("and now?"));
  expect(await agent.line(isResult, from)).toMatchObject({ result: "fresh" });
  expect(JSON.stringify(api.requests.at(-1)?.body.messages)).not.toMatch(/nameless|named/);
});
