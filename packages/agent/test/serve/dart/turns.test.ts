import type { ScriptStep } from "@agentwire/models/script";
import type { JsonObject } from "@agentwire/protocol";
import { describe, expect, test } from "vitest";
import { type AgentTalk, openAgent } from "../../agent-process.ts";
import { STATUS } from "../../database/miriad-agent.ts";
import { program } from "../../mcp/session.ts";
import { newApi, playing } from "../../model-source.ts";
import { newPlace } from "../../place.ts";
import { is, isResult, prompt } from "../../wire.ts";
import { run } from "../jsonrpc/rpc.ts";
import { create, initialize, inShort, send, startDart } from "./dart-host.ts";

/** A reply that delegates to a subagent without the choice of waiting for it, then the replies of the subagent and the agent. */
const DELEGATION: readonly ScriptStep[] = [
  {
    content: [
      { type: "tool_use", name: "Agent", input: { description: "Look around", prompt: "Look around" } },
    ],
  },
  { text: "There is nothing here." },
  { text: "Nothing is there." },
];

/** Every way in which an agent detects a dialect whose hosts wait for one result per prompt. */
const WAYS: readonly (readonly [string, readonly string[], readonly JsonObject[]])[] = [
  ["--cwd", ["--cwd", "."], [create("Look")]],
  ["--dialect dart", ["--dialect", "dart"], [create("Look")]],
  ["session.create", [], [create("Look")]],
  ["system_prompt in initialize", [], [initialize("1"), create("Look")]],
  ["--dialect jsonrpc", ["--dialect", "jsonrpc"], [run(1, "Look")]],
  ["a line with jsonrpc", [], [run(1, "Look")]],
  ["--dialect miriad", ["--dialect", "miriad"], [prompt("Look")]],
  ["a control line", [], [STATUS, prompt("Look")]],
];

const isEnd = (line: JsonObject) =>
  isResult(line) || [line.result, line.params].some((message) => isResult((message ?? {}) as JsonObject));

describe("a turn waits for its subagents", { timeout: 30_000 }, () => {
  test.each(WAYS)("however the dialect is detected: %s", async (_name, args, lines) => {
    const place = await newPlace();
    const agent = openAgent(place, { args: [...(await playing(place, { steps: DELEGATION })), ...args] });
    agent.send(...lines);
    agent.input.end();
    expect(await agent.ended()).toMatchObject({ code: 0 });
    expect(agent.lines.filter(isEnd)).toHaveLength(1);
    expect(JSON.stringify(agent.lines.find(isEnd))).toContain("Nothing is there.");
  });

  test.each([[[]], [["--dialect", "claude"]]])("but not in the official dialect: %s", async (args) => {
    const place = await newPlace();
    const steps = [...DELEGATION, { text: "It is done." }];
    const agent = openAgent(place, { args: [...(await playing(place, { steps })), ...args] });
    agent.send(prompt("Look"));
    agent.input.end();
    await agent.ended();
    expect(agent.lines.filter(isResult)).toHaveLength(2);
  });
});

describe("a turn that failed", { timeout: 30_000 }, () => {
  test("has an error subtype and a reason", async () => {
    const api = await newApi({
      steps: [
        { type: "error", status: 403, error: { type: "permission_error", message: "No entry." } },
        { text: "Hi." },
      ],
    });
    const agent = await startDart({ env: { ...api.env, CLAUDE_CODE_MAX_RETRIES: "0" } });
    agent.send(create("Hello"));
    expect(await agent.line(isResult)).toMatchObject({
      subtype: "error_during_execution",
      is_error: true,
      error: expect.stringContaining("No entry."),
    });
    agent.send(send("Again"));
    const again = await agent.line(is("result", "success"));
    expect(again).toMatchObject({ is_error: false, result: "Hi." });
    expect(again).not.toHaveProperty("error");
  });
});

describe("a Dart host receives", { timeout: 30_000 }, () => {
  test("a reply as one line with its whole usage", async () => {
    const content = [
      { type: "text", text: "I look." },
      { type: "tool_use", name: "Glob", input: { pattern: "*" } },
    ];
    const steps = [
      { content, usage: { input_tokens: 100, output_tokens: 50 } },
      { text: "Nothing.", usage: { input_tokens: 200, output_tokens: 7 } },
    ];
    const agent = await startDart({}, { steps });
    agent.send(create("Look"));
    const { usage } = (await agent.line(isResult)) as { usage: JsonObject };
    const replies = agent.lines.filter(is("assistant")) as { usage: JsonObject; message: JsonObject }[];
    expect(replies.map(({ usage: used }) => [used.input_tokens, used.output_tokens])).toEqual([
      [100, 50],
      [200, 7],
    ]);
    expect(replies[0]?.message.content).toHaveLength(2);
    expect(usage).toMatchObject({ input_tokens: 300, output_tokens: 57 });
  });

  test("a system message for a new conversation", async () => {
    const agent = await startDart({}, { steps: [{ text: "Hi." }] });
    agent.send(create("Hello"));
    await agent.line(isResult);
    agent.send(send("/clear"));
    await agent.line(is("system", "conversation_reset"));
    await agent.line(isResult, agent.lines.findIndex(isResult) + 1);
    const types = new Set(agent.lines.map(({ type }) => type));
    expect([...types].sort()).toEqual(["assistant", "result", "session.created", "system"]);
  });

  test("an account with an address, even an empty one", async () => {
    const agent = await startDart();
    agent.send(initialize("1"));
    const { response } = (await agent.line(is("control_response"))) as { response: JsonObject };
    expect(response.account).toMatchObject({ account_type: "none", email: "" });
  });

  test("the list of tools again when servers have added some", async () => {
    const agent = await startDart({}, { steps: [{ text: "Hi." }, { text: "Hi again." }] });
    agent.send(initialize("1", { mcp_servers: { calc: program() } }), create("Hello"));
    await agent.line(isResult);
    agent.send(send("Hello again"));
    await agent.line(({ result }) => result === "Hi again.");
    const announced = agent.lines.filter(is("system", "init")) as {
      tools: { name: string; description: string }[];
    }[];
    const last = announced.at(-1)?.tools ?? [];
    expect(last.find(({ name }) => name.startsWith("mcp__calc__"))?.description).toMatch(/\S/);
    expect(last.every(({ description }) => description !== "")).toBe(true);
    // Each list differs from the previous one, and the last precedes the reply that uses its tools.
    expect(new Set(announced.map(({ tools }) => tools.length)).size).toBe(announced.length);
    expect(agent.lines.findLastIndex(is("system", "init"))).toBeLessThan(
      agent.lines.findIndex(is("assistant")),
    );
  });

  test.each<[string, readonly JsonObject[]]>([
    ["with a handshake", [initialize("1"), create("Hello")]],
    ["without one", [create("Hello")]],
  ])("the descriptions of the tools in a session with a database, %s", async (_name, lines) => {
    const agent = await startDart({ args: ["--db", "agent.db"] }, { steps: [{ text: "Hi." }] });
    agent.send(...lines);
    await agent.line(isResult);
    const [init, ...more] = agent.lines.filter(is("system", "init")) as { tools: JsonObject[] }[];
    expect(more).toEqual([]);
    expect(init?.tools).toContainEqual({ name: "Bash", description: expect.stringMatching(/\S/) });
    const order = agent.lines.map(inShort).filter((word) => word !== "control_response");
    expect([...order].sort()).toEqual(["assistant", "result success", "session.created", "system init"]);
    expect(order.slice(2)).toEqual(["assistant", "result success"]);
  });
});

describe("--verbose", { timeout: 30_000 }, () => {
  /** The log entries on stderr. */
  const logOf = (agent: AgentTalk) =>
    agent
      .complaints()
      .split("\n")
      .filter((line) => line.startsWith("{"))
      .map((line) => JSON.parse(line) as { text: string; fields: JsonObject });

  test.each<[string, readonly string[]]>([
    ["", []],
    [" and a database", ["--db", "agent.db"]],
  ])("logs lines to stderr without their contents%s", async (_name, args) => {
    const agent = await startDart({ args: ["--verbose", ...args] }, { steps: [{ text: "My secret." }] });
    agent.send(create("Your secret?"));
    await agent.line(isResult);
    agent.input.end();
    await agent.ended();
    const log = logOf(agent);
    expect(log).toContainEqual(
      expect.objectContaining({ text: "received", fields: { type: "user", content: "text" } }),
    );
    expect(log.at(-1)).toMatchObject({
      text: "sent",
      fields: { type: "result", subtype: "success", num_turns: 1 },
    });
    expect(agent.complaints()).not.toContain("secret");
    expect(agent.garbage).toEqual([]);
  });

  test("does not enable logging for official hosts, which always pass it", async () => {
    const place = await newPlace();
    const agent = openAgent(place, { args: await playing(place, { steps: [{ text: "Hi." }] }) });
    agent.send(prompt("Hello"));
    agent.input.end();
    await agent.ended();
    expect(agent.complaints()).toBe("");
  });
});
