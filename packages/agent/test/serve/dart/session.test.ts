import { mkdir, readdir } from "node:fs/promises";
import { join } from "node:path";
import type { JsonObject } from "@agentwire/protocol";
import { describe, expect, test } from "vitest";
import { follow, startProgram } from "../../agent-process.ts";
import { program } from "../../mcp/session.ts";
import { bash, newApi, STUBBORN, UNASKED } from "../../model-source.ts";
import { expectNothingLeft, newPlace } from "../../place.ts";
import { is, isResult, textOf } from "../../wire.ts";
import {
  ARGUMENTS,
  callback,
  create,
  initialize,
  inShort,
  isError,
  send,
  shapedLike,
  startDart,
} from "./dart-host.ts";

const request = (id: string, subtype: string): JsonObject => ({
  type: "control_request",
  request_id: id,
  request: { subtype },
});

describe("session.create", { timeout: 30_000 }, () => {
  test("needs no handshake before it", async () => {
    const agent = await startDart({}, { steps: [{ text: "Hi." }] });
    agent.send(create("Hello"));
    agent.input.end();
    expect(await agent.ended()).toEqual({ code: 0, signal: null });
    expect(agent.lines.map(inShort)).toEqual([
      "session.created",
      "system init",
      "assistant",
      "result success",
    ]);
    const { tools } = agent.lines[1] as { tools?: readonly unknown[] };
    expect(tools).toContainEqual({ name: "Read", description: expect.stringMatching(/\S/) });
  });

  test("may contain text and images, which reach the model", async () => {
    const api = await newApi({ steps: [{ text: "A cat." }] });
    const agent = await startDart({ env: api.env });
    const source = { type: "base64", media_type: "image/png", data: "iVBORw0KGgo=" };
    agent.send(
      create([
        { type: "text", text: "What is in this image?" },
        { type: "image", source },
      ]),
    );
    await agent.line(isResult);
    const messages = api.requests[0]?.body.messages as { content: unknown }[];
    expect(messages.flatMap(({ content }) => content)).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ type: "text", text: "What is in this image?" }),
        expect.objectContaining({ type: "image", source }),
      ]),
    );
  });

  test("is refused the second time, and the session continues", async () => {
    const agent = await startDart({}, { steps: [{ text: "One." }, { text: "Two." }] });
    agent.send(create("Hello"));
    await agent.line(isResult);
    agent.send(create("Hello again"));
    await agent.line(isError("SESSION_EXISTS"));
    agent.send(send("And now?"));
    expect(await agent.line(isResult, agent.lines.length)).toMatchObject({ result: "Two." });
  });
});

describe("session.send", { timeout: 30_000 }, () => {
  test("before session.create is an error, and a session can still be created", async () => {
    const agent = await startDart({}, { steps: [{ text: "Hi." }] });
    agent.send(send("too early"));
    expect(await agent.line(isError("SESSION_NOT_FOUND"))).toEqual({
      type: "error",
      error: { code: "SESSION_NOT_FOUND", message: expect.stringMatching(/\S/) },
    });
    agent.send(create("Hello"));
    expect(await agent.line(isResult)).toMatchObject({ result: "Hi." });
  });

  test("continues the conversation", async () => {
    const api = await newApi({ steps: [{ text: "Hello, Ada." }, { text: "Ada." }] });
    const agent = await startDart({ env: api.env });
    agent.send(create("I am Ada"));
    await agent.line(isResult);
    agent.send(send("Who am I?"));
    await agent.line(isResult, agent.lines.length);
    const seen = JSON.stringify(api.requests[1]?.body.messages);
    for (const text of ["I am Ada", "Hello, Ada.", "Who am I?"]) expect(seen).toContain(text);
  });
});

describe("a line that is not a message", { timeout: 30_000 }, () => {
  const lines: readonly (readonly [string, string | Buffer])[] = [
    ["no JSON", "hello"],
    ["half an object", '{"type":"session.create","mess'],
    ["an array", "[]"],
    ["null", "null"],
    ["no type", '{"message":{}}'],
    ["an unknown type", '{"type":"session.destroy"}'],
    ["no message", '{"type":"session.create"}'],
    ["another role", '{"type":"session.create","message":{"role":"assistant","content":"x"}}'],
    ["no content", '{"type":"session.create","message":{"role":"user"}}'],
    ["not UTF-8", Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x7d])],
    ["11 MB", JSON.stringify(create("x".repeat(11_000_000)))],
  ];

  test("is answered with an INVALID_MESSAGE that says what is wrong, and the next line is read", async () => {
    const agent = await startDart({}, { steps: [{ text: "Hi." }] });
    for (const [, line] of lines) {
      agent.input.write(line);
      agent.input.write("\n");
    }
    agent.send(create("Hello"));
    expect(await agent.line(isResult)).toMatchObject({ result: "Hi." });
    const refusal = {
      type: "error",
      error: { code: "INVALID_MESSAGE", message: expect.stringMatching(/\S/) },
    };
    expect(lines.map(([name], at) => [name, agent.lines[at]])).toEqual(
      lines.map(([name]) => [name, refusal]),
    );
    expect(agent.lines.filter(is("error"))).toHaveLength(lines.length);
    expect(agent.garbage).toEqual([]);
  });
});

describe("an interrupt", { timeout: 30_000 }, () => {
  test("is answered, ends the turn with one result, and the session continues", async () => {
    const agent = await startDart(
      { args: UNASKED },
      { steps: [{ content: [bash(`cd ..; ${STUBBORN}`)] }, { text: "Next." }] },
    );
    agent.send(create("work"));
    await agent.place.file("running");
    agent.send(request("stop", "interrupt"));
    const result = await agent.line(isResult);
    expect(result).toEqual(
      shapedLike({
        type: "result",
        subtype: "error_during_execution",
        session_id: "uuid",
        error: "…",
        turn_count: 1,
        duration_seconds: 0,
      }),
    );
    expect(agent.lines.filter(is("control_response"))).toMatchObject([{ request_id: "stop" }]);
    agent.send(send("again"));
    expect(await agent.line(isResult, agent.lines.indexOf(result) + 1)).toMatchObject({ result: "Next." });
    agent.input.end();
    expect(await agent.ended()).toEqual({ code: 0, signal: null });
    await expectNothingLeft(agent.place);
  });

  test("while idle is answered too", async () => {
    const agent = await startDart({}, { steps: [] });
    agent.send(request("stop", "interrupt"));
    expect(await agent.line(is("control_response"))).toMatchObject({ request_id: "stop" });
  });
});

describe("the command line", { timeout: 30_000 }, () => {
  test("--cwd sets the folder of the session, its tools and its transcript", async () => {
    const agent = await startDart(
      { args: UNASKED },
      { steps: [{ content: [bash("pwd")] }, { text: "There." }] },
    );
    agent.send(create("Where are we?"));
    await agent.line(isResult);
    expect(agent.lines.find(is("system", "init"))).toMatchObject({ cwd: agent.folder });
    expect(textOf(agent.lines.find(is("user"))?.message)).toContain(agent.folder);
    const [project] = await readdir(join(agent.place.configDir, "projects"));
    expect(project).toMatch(/-work-project$/);
  });

  test("--cwd with a missing folder ends the process with a reason", async () => {
    const place = await newPlace();
    const agent = follow(startProgram(place, { args: [...ARGUMENTS, "--cwd", join(place.cwd, "nowhere")] }));
    expect(await agent.ended()).toEqual({ code: 1, signal: null });
    expect(agent.complaints()).toMatch(/--cwd .*nowhere: no such folder/);
    expect(agent.lines).toEqual([]);
  });

  test("--resume continues an earlier session under its id", async () => {
    const api = await newApi({ steps: [{ text: "Hello, Ada." }, { text: "Ada." }] });
    const place = await newPlace();
    const folder = join(place.cwd, "project");
    await mkdir(folder);
    const start = (...more: string[]) =>
      follow(startProgram(place, { args: [...ARGUMENTS, "--cwd", folder, ...more], env: api.env }));
    const before = start();
    before.send(create("I am Ada"));
    const { session_id } = await before.line(isResult);
    before.input.end();
    await before.ended();

    const after = start("--resume", String(session_id));
    after.send(initialize("hello"), create("Who am I?"));
    expect(await after.line(isResult)).toMatchObject({ session_id, result: "Ada." });
    expect(after.lines.filter(is("session.created"))).toEqual([{ type: "session.created", session_id }]);
    expect(JSON.stringify(api.requests[1]?.body.messages)).toContain("I am Ada");
  });

  test("--max-turns ends a turn with the Dart dialect's error result", async () => {
    const steps = [{ content: [bash("true")] }, { text: "Never said." }];
    const agent = await startDart({ args: [...UNASKED, "--max-turns", "1"] }, { steps });
    agent.send(create("work"));
    expect(await agent.line(isResult)).toMatchObject({
      type: "result",
      subtype: "error_max_turns",
      session_id: expect.any(String),
      error: expect.stringMatching(/maximum number of turns/i),
    });
  });

  test("--model and --permission-mode are reported by the session", async () => {
    const args = ["--model", "haiku", "--permission-mode", "plan", "--verbose"];
    const agent = await startDart({ args }, { steps: [] });
    agent.send(initialize("hello"));
    expect(await agent.line(is("system", "init"))).toMatchObject({
      model: expect.stringContaining("haiku"),
      permissionMode: "plan",
    });
  });
});

describe("initialize", { timeout: 30_000 }, () => {
  test("passes the host's system prompt to the model", async () => {
    const api = await newApi({ steps: [{ text: "Arr." }] });
    const agent = await startDart({ env: api.env });
    agent.send(initialize("hello", { system_prompt: "You are a pirate." }), create("Hello"));
    await agent.line(isResult);
    expect(JSON.stringify(api.requests[0]?.body.system)).toContain("You are a pirate.");
  });

  test("registers the host's hooks as callbacks, and its agents", async () => {
    const agent = await startDart({}, { steps: [{ text: "Never said." }] });
    const hooks = { UserPromptSubmit: [{ hookCallbackIds: ["h1"] }] };
    const agents = { critic: { description: "Finds fault", prompt: "Be harsh." } };
    agent.send(initialize("hello", { hooks, agents }));
    expect(await agent.line(is("system", "init"))).toMatchObject({
      agents: expect.arrayContaining(["critic"]),
    });
    agent.send(create("Hello"));
    const asked = await agent.line(is("callback.request"));
    expect(asked.request).toMatchObject({ subtype: "hook_callback", callback_id: "h1" });
    agent.send(callback(asked.request_id, { decision: "block", reason: "not today" }));
    const result = await agent.line(isResult);
    expect(result).not.toMatchObject({ result: "Never said." });
  });

  test("starts the host's servers, whose tools are available in the first turn", async () => {
    const agent = await startDart({}, { steps: [{ text: "Hi." }] });
    const mcp_servers = { calc: program(), gone: { command: "/no/such" } };
    agent.send(initialize("hello", { mcp_servers }), create("Hello"));
    await agent.line(isResult);
    expect(await agent.line(isError("REQUEST_FAILED"))).toMatchObject({
      error: { message: expect.stringContaining("gone") },
    });
    agent.send(request("status", "mcp_status"));
    const answered = await agent.line((line) => line.request_id === "status");
    expect(answered.response).toMatchObject({
      mcpServers: expect.arrayContaining([
        expect.objectContaining({ name: "calc", status: "connected" }),
        expect.objectContaining({ name: "gone", status: "failed" }),
      ]),
    });
  });

  test("is answered with an error that has its id if it is refused", async () => {
    const agent = await startDart({}, { steps: [] });
    agent.send(request("odd", "levitate"));
    expect(await agent.line(is("error"))).toEqual({
      type: "error",
      request_id: "odd",
      error: { code: "REQUEST_FAILED", message: expect.stringContaining("levitate") },
    });
  });
});
