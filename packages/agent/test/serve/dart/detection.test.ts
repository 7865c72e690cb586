import type { JsonObject } from "@agentwire/protocol";
import { describe, expect, test } from "vitest";
import { type AgentTalk, openAgent } from "../../agent-process.ts";
import { playing } from "../../model-source.ts";
import { newPlace } from "../../place.ts";
import { answers, is, isResult, prompt, request } from "../../wire.ts";
import { ends, run } from "../jsonrpc/rpc.ts";
import { create, initialize, inShort, isError, send, startDart } from "./dart-host.ts";

/** An agent that learns its host's dialect only from `args` and the lines. */
async function start(...args: readonly string[]): Promise<AgentTalk> {
  const place = await newPlace();
  return openAgent(place, { args: [...(await playing(place, { steps: [{ text: "Hi." }] })), ...args] });
}

const DART: readonly (readonly [string, readonly string[], readonly JsonObject[]])[] = [
  ["--dialect dart", ["--dialect", "dart"], [prompt("Hello")]],
  ["--dialect=dart", ["--dialect=dart"], [prompt("Hello")]],
  ["--cwd", ["--cwd", "."], [prompt("Hello")]],
  [
    "system_prompt in initialize",
    [],
    [request("r1", "initialize", { system_prompt: "Be brief." }), prompt("Hello")],
  ],
  ["mcp_servers in initialize", [], [request("r1", "initialize", { mcp_servers: {} }), prompt("Hello")]],
  ["session.create", [], [create("Hello")]],
  [
    "session.create after a neutral handshake",
    [],
    [request("r1", "initialize", { hooks: {} }), create("Hello")],
  ],
  ["session.send", [], [send("too early"), create("Hello")]],
];

describe("a Dart host is detected", { timeout: 30_000 }, () => {
  test.each(DART)("by %s", async (_, args, lines) => {
    const agent = await start(...args);
    agent.send(...lines);
    expect(await agent.line(isResult)).toMatchObject({ turn_count: 1, result: "Hi." });
    const init = agent.lines.find(is("system", "init")) as { tools: readonly unknown[] } | undefined;
    expect(init?.tools[0]).toMatchObject({ name: "Bash" });
    expect(agent.lines.find(is("assistant"))).toHaveProperty("model");
  });
});

describe("a host that is not a Dart host", { timeout: 30_000 }, () => {
  const OFFICIAL: readonly (readonly [string, readonly string[], readonly JsonObject[]])[] = [
    ["a prompt", [], [prompt("Hello")]],
    ["a prompt as the SDKs send it", [], [prompt("Hello", { session_id: "", parent_tool_use_id: null })]],
    ["a neutral handshake", [], [request("r1", "initialize", { hooks: null }), prompt("Hello")]],
    [
      "a handshake of the TypeScript SDK",
      [],
      [request("r1", "initialize", { hooks: {}, sdkMcpServers: [], systemPrompt: ["x"] }), prompt("Hello")],
    ],
    ["--dialect claude", ["--dialect", "claude"], [create("ignored"), prompt("Hello")]],
  ];

  test.each(OFFICIAL)("gets lines in the official spelling: %s", async (_, args, lines) => {
    const agent = await start(...args);
    agent.send(...lines);
    const result = await agent.line(isResult);
    expect(result).not.toHaveProperty("turn_count");
    expect(agent.lines.find(is("system", "init"))).toMatchObject({ tools: expect.arrayContaining(["Bash"]) });
    expect(agent.lines.some((line) => String(line.type).includes("."))).toBe(false);
    if (lines.some((line) => line.request_id === "r1"))
      expect(agent.lines[0]).toMatchObject({ response: { subtype: "success", request_id: "r1" } });
  });

  test("keeps the spelling of its first prompt, whatever it sends later", async () => {
    const agent = await start();
    agent.send(prompt("Hello"), create("ignored"));
    agent.input.end();
    await agent.ended();
    expect(agent.lines.filter(isResult)).toHaveLength(1);
    expect(agent.lines.some(is("session.created"))).toBe(false);
    expect(agent.complaints()).toContain("session.create");
  });

  test("gets its handshake answered in the official spelling, even if a later line identifies it", async () => {
    const agent = await start();
    agent.send(request("r1", "initialize", { hooks: {} }));
    expect(await agent.line(answers("r1"))).toMatchObject({ response: { subtype: "success" } });
    agent.send(create("Hello"));
    expect(await agent.line(isResult)).toMatchObject({ turn_count: 1 });
  });

  test("gets errors about invalid lines only after it has been detected", async () => {
    const known = await start();
    known.send(create("Hello"));
    await known.line(isResult);
    known.input.write("nonsense\n");
    await known.line(isError("INVALID_MESSAGE"));
    const unknown = await start();
    unknown.input.write("nonsense\n");
    expect(await unknown.ended()).toEqual({ code: 1, signal: null });
    expect(unknown.lines).toEqual([]);
  });

  test("is detected as a JSON-RPC host by its first request", async () => {
    const agent = await start();
    agent.send(run(7, "Hello"));
    await agent.line(ends(7));
    expect(agent.lines.every((line) => line.jsonrpc === "2.0" && line.id === 7)).toBe(true);
  });

  test("never gets a line of type error", async () => {
    const agent = await start("--tolerant");
    agent.input.write("nonsense\n");
    agent.send(request("r1", "levitate"), { type: "hologram" }, prompt("Hello"));
    await agent.line(isResult);
    expect(agent.lines.filter(is("error"))).toEqual([]);
  });

  test("that names an unknown dialect ends the process with a reason", async () => {
    const agent = await start("--dialect", "klingon");
    expect(await agent.ended()).toEqual({ code: 1, signal: null });
    expect(agent.complaints()).toMatch(/--dialect klingon: choose one of claude, .*dart/);
  });
});

test("a Dart host that sends two handshakes in one chunk gets one init message, before its session is created", async () => {
  const agent = await startDart({}, { steps: [{ text: "Hi." }] });
  agent.send(initialize("a"), initialize("b"), create("Hello"));
  await agent.line(isResult);
  const order = agent.lines.map((line) => (is("control_response")(line) ? line.request_id : inShort(line)));
  const steps = ["a", "b", "system init", "session.created", "assistant", "result success"];
  expect(order.filter((step) => steps.includes(String(step)))).toEqual(steps);
});
