import type { JsonObject } from "@agentwire/protocol";
import { LATEST_PROTOCOL_VERSION } from "@modelcontextprotocol/sdk/types.js";
import { describe, expect, test } from "vitest";
import { MCP_VERSION } from "../../src/mcp/manifest.ts";
import type { McpServers } from "../../src/mcp/servers.ts";
import { validMessage } from "../../src/mcp/transport/valid-message.ts";
import { calculatorHost } from "./fake-host.ts";
import { call, eventually, find, never, newServers } from "./session.ts";

const calc = { type: "sdk" as const, name: "calc" };
const HANDSHAKE = ["initialize", "notifications/initialized", "tools/list"];

describe("a server in the host", () => {
  test("is initialized with the official agent's messages, in the same order", async () => {
    const host = await calculatorHost();
    const { servers } = await newServers({ send: host.send });
    servers.start({ calc });
    await servers.settled(never);
    expect(host.methods()).toEqual(HANDSHAKE);
    expect(host.sent[0]?.message).toMatchObject({
      id: 0,
      params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { version: "0.0.0" } },
    });
    expect(host.sent[1]?.message).not.toHaveProperty("id");
    expect(host.sent[2]?.message).toEqual({ jsonrpc: "2.0", id: 1, method: "tools/list" });
    expect(servers.status()).toMatchObject([
      {
        name: "calc",
        status: "connected",
        source: "sdk",
        scope: "dynamic",
        serverInfo: { name: "calc" },
        config: calc,
      },
    ]);
  });

  test("runs its tools", async () => {
    const host = await calculatorHost();
    const { servers } = await newServers({ send: host.send });
    servers.start({ calc });
    await servers.settled(never);
    const content = [{ type: "text", text: "5" }];
    expect(await call(servers, "mcp__calc__add", { a: 2, b: 3 })).toEqual({ content, data: content });
    expect(host.sent.at(-1)?.message).toEqual({
      jsonrpc: "2.0",
      id: 2,
      method: "tools/call",
      params: {
        name: "add",
        arguments: { a: 2, b: 3 },
        _meta: { "claudecode/toolUseId": "toolu_1", progressToken: 2 },
      },
    });
    expect(find(servers, "mcp__calc__add").mcp).toMatchObject({
      server: "calc",
      source: "sdk",
      displayName: "Add",
    });
  });

  test("is connected once, however often it is listed", async () => {
    const host = await calculatorHost();
    const { servers } = await newServers({ send: host.send });
    servers.start({ calc });
    servers.start({ calc: { ...calc } });
    await servers.settled(never);
    servers.start({ calc });
    await servers.settled(never);
    expect(host.methods()).toEqual(HANDSHAKE);
  });

  test("skips the handshake if its manifest is known", async () => {
    const host = await calculatorHost();
    const { servers } = await newServers({ send: host.send });
    const initializeResult = {
      protocolVersion: "2025-11-25",
      capabilities: { tools: { listChanged: true } },
      serverInfo: { name: "calc", version: "1.0.0" },
    };
    const tools = [{ name: "add", description: "Add", inputSchema: { type: "object" } }];
    const manifest = { initializeResult, toolsListResult: { tools } };
    expect(
      servers.park({
        calc: manifest,
        old: { initializeResult: { ...initializeResult, protocolVersion: "2024-11-05" } },
        odd: { initializeResult: 1 },
      }),
    ).toEqual({ calc: "parked", old: "protocol_version_mismatch", odd: "malformed" });
    servers.start({ calc });
    await servers.settled(never);
    expect(host.methods()).toEqual([]);
    expect(await call(servers, "mcp__calc__add", { a: 2, b: 3 })).toMatchObject({ content: [{ text: "5" }] });
    expect(host.sent[0]?.message).toMatchObject({ id: 2, method: "tools/call" });
    expect(servers.park({ calc: manifest })).toEqual({ calc: "already_connected" });
  });

  test("may change its tools at any time", async () => {
    let servers: McpServers | undefined;
    const host = await calculatorHost({ fromHost: (message) => servers?.fromHost("calc", message) });
    let changes = 0;
    ({ servers } = await newServers({ send: host.send, onToolsChanged: () => changes++ }));
    servers.start({ calc });
    await servers.settled(never);
    await host.addTool("sub");
    await eventually(() => changes === 2, "the change is reported");
    expect(find(servers, "mcp__calc__sub").name).toBe("mcp__calc__sub");
  });

  test("may ask questions through the host", async () => {
    const host = await calculatorHost();
    const { servers } = await newServers({
      send: host.send,
      onElicitation: async () => ({ action: "cancel" }),
    });
    servers.start({ calc });
    await servers.settled(never);
    const ask = (id: string, method: string): void =>
      servers.fromHost("calc", { jsonrpc: "2.0", id, method, params: { message: "?" } });
    ask("e1", "elicitation/create");
    ask("s1", "sampling/createMessage");
    servers.fromHost("stranger", { jsonrpc: "2.0", method: "notifications/x" });
    servers.fromHost("calc", { nonsense: true });
    await eventually(
      () => host.methods().filter((method) => method === "answer").length === 2,
      "both are answered",
    );
    const answers = host.sent.filter(({ method }) => method === "answer").map(({ message }) => message);
    expect(answers).toContainEqual({ jsonrpc: "2.0", id: "e1", result: { action: "cancel" } });
    expect(answers).toContainEqual({
      jsonrpc: "2.0",
      id: "s1",
      error: { code: -32601, message: expect.any(String) },
    });
  });

  test("fails after two attempts if the host never answers a notification", async () => {
    const host = await calculatorHost();
    const send = (name: string, message: JsonObject): Promise<JsonObject> => {
      const answer = host.send(name, message);
      return message.id === undefined ? new Promise(() => {}) : answer;
    };
    const { servers } = await newServers({ send, connectTimeoutMs: 100 });
    const started = performance.now();
    servers.start({ calc });
    await servers.settled(never);
    expect(performance.now() - started).toBeGreaterThan(190);
    expect(host.methods()).toEqual([...HANDSHAKE.slice(0, 2), ...HANDSHAKE.slice(0, 2)]);
    expect(servers.status()).toMatchObject([{ status: "failed", error: expect.stringContaining("100 ms") }]);
  });

  test.each<[string, (message: JsonObject) => Promise<JsonObject>]>([
    ["refuses", () => Promise.reject(new Error("SDK MCP server not found: calc"))],
    [
      "answers with a JSON-RPC error",
      async () => ({ jsonrpc: "2.0", error: { code: -32601, message: "not found" } }),
    ],
    ["answers nothing", async () => ({})],
    ["answers nonsense", async () => ({ jsonrpc: "2.0", result: 7 })],
  ])("fails at once if the host %s", async (_, answer) => {
    let asked = 0;
    const { servers } = await newServers({
      send: (_name, message) => {
        asked++;
        return answer(message);
      },
      connectTimeoutMs: 10_000,
    });
    servers.start({ calc });
    await servers.settled(never);
    expect(servers.status()).toMatchObject([{ status: "failed", error: expect.stringMatching(/./) }]);
    expect(asked).toBe(1);
  });

  test("may answer slowly", async () => {
    const host = await calculatorHost();
    let answer: (() => void) | undefined;
    const asked = new Promise<void>((resolve) => {
      answer = resolve;
    });
    const { servers } = await newServers({
      send: async (name, message) => {
        if (message.method === "initialize") await asked;
        return await host.send(name, message);
      },
    });
    servers.start({ calc });
    let isSettled = false;
    const settled = servers.settled(never).then(() => {
      isSettled = true;
    });
    await new Promise(setImmediate);
    expect(isSettled).toBe(false);
    answer?.();
    await settled;
    expect(servers.status()).toMatchObject([{ status: "connected" }]);
  });

  test("stays connected if one message is rejected", async () => {
    const host = await calculatorHost();
    let refuses = false;
    const { servers } = await newServers({
      send: (name, message) =>
        refuses ? Promise.reject(new Error("the host is busy")) : host.send(name, message),
    });
    servers.start({ calc });
    await servers.settled(never);
    refuses = true;
    await expect(call(servers, "mcp__calc__add")).rejects.toThrow(/calc failed: the host is busy/);
    refuses = false;
    expect(await call(servers, "mcp__calc__add", { a: 1, b: 1 })).toMatchObject({ content: [{ text: "2" }] });
  });

  test("does not delay callers that don't wait for it", async () => {
    const { servers } = await newServers({ send: () => new Promise(() => {}) });
    servers.start({ calc });
    const interrupt = new AbortController();
    const settled = servers.settled(interrupt.signal);
    interrupt.abort();
    await settled;
    expect(servers.status()).toMatchObject([{ status: "pending" }]);
  });

  test("receives the cancellation of a call", async () => {
    const host = await calculatorHost();
    const { servers } = await newServers({
      send: (name, message) => {
        const answer = host.send(name, message);
        return message.method === "tools/call" ? new Promise(() => {}) : answer;
      },
    });
    servers.start({ calc });
    await servers.settled(never);
    const interrupt = new AbortController();
    const running = call(servers, "mcp__calc__add", { a: 1, b: 1 }, { signal: interrupt.signal });
    await eventually(() => host.methods().includes("tools/call"), "the call was sent");
    interrupt.abort(new Error("stop"));
    await expect(running).rejects.toThrow("stop");
    expect(host.sent.at(-1)?.message).toMatchObject({
      method: "notifications/cancelled",
      params: { requestId: 2 },
    });
  });
});

test.each([
  [
    { id: 1, result: {} },
    { jsonrpc: "2.0", id: 1, result: {} },
  ],
  [
    { id: 1, result: 7 },
    { jsonrpc: "2.0", id: 1, error: { code: -32603, message: "the answer is malformed" } },
  ],
  [{ id: 1 }, { jsonrpc: "2.0", id: 1, error: { code: -32603, message: "the answer is malformed" } }],
  [
    { id: 1, error: { code: "E", message: "no" } },
    { jsonrpc: "2.0", id: 1, error: { code: -32603, message: "no" } },
  ],
  [
    { id: 1, error: { code: 5, message: "no" } },
    { jsonrpc: "2.0", id: 1, error: { code: 5, message: "no" } },
  ],
  [
    { id: 1, method: "ping" },
    { jsonrpc: "2.0", id: 1, method: "ping" },
  ],
  [{ method: "notifications/x" }, { jsonrpc: "2.0", method: "notifications/x" }],
])("the message %j is passed to the client as %j", (message, expected) => {
  expect(validMessage(message)).toEqual(expected);
});

test("manifests are checked against the revision that the MCP client uses", () => {
  expect(MCP_VERSION).toBe(LATEST_PROTOCOL_VERSION);
});
