import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import type { ProcessGroups } from "@agentwire/local/process";
import type { JsonObject } from "@agentwire/protocol";
import { silentLog } from "@agentwire/protocol/support";
import type { JSONRPCMessage } from "@modelcontextprotocol/sdk/types.js";
import { afterAll, describe, expect, test } from "vitest";
import type { McpServers } from "../../src/mcp/servers.ts";
import { endSharedConnections, joinConnection } from "../../src/mcp/transport/sharing.ts";
import { StdioTransport } from "../../src/mcp/transport/stdio-transport.ts";
import { httpServer, sseServer } from "./remote-servers.ts";
import {
  afterwards,
  eventually,
  freshFolder,
  isAlive,
  keepingLog,
  never,
  newServers,
  program,
} from "./session.ts";

afterAll(() => endSharedConnections());

const shared = (mode?: string, env?: Readonly<Record<string, string>>) => ({
  ...program(mode, env),
  shared: true,
});

type Options = NonNullable<Parameters<typeof newServers>[0]>;

/** A session in a shared process, with one server. */
async function session(
  cwd: string,
  config: ReturnType<typeof program> = shared(),
  options: Partial<Options> = {},
): Promise<McpServers> {
  const { servers } = await newServers({ sharesProcess: true, cwd, ...options });
  servers.start({ s: config });
  await servers.settled(never);
  return servers;
}

const textOf = async (
  servers: McpServers,
  tool: string,
  input: JsonObject = {},
  signal = new AbortController().signal,
) => {
  const limits = { signal, timeoutMs: 20_000 };
  const origin = { server: "s", tool, source: "dynamic", displayName: tool, alwaysLoad: false };
  const { content } = await servers.callTool(origin, input, limits);
  return String((content as { text?: unknown }[])[0]?.text);
};

const pidOf = async (servers: McpServers): Promise<number> => JSON.parse(await textOf(servers, "pids"))[0];

describe("a server that is declared shared", { timeout: 40_000 }, () => {
  test("is one process for sessions with the same configuration", async () => {
    const cwd = await freshFolder();
    const sessions = await Promise.all([session(cwd), session(cwd), session(cwd)]);
    const pids = await Promise.all(sessions.map(pidOf));
    expect(new Set(pids).size).toBe(1);
    const [first] = sessions;
    expect(first && JSON.parse(await textOf(first, "told"))).toMatchObject({
      initialize: 1,
      "notifications/initialized": 1,
      "prompts/list": 3,
    });
    expect(sessions.map((one) => one.status()[0])).toMatchObject([
      { status: "connected", serverInfo: { name: "test server" } },
      { status: "connected", serverInfo: { name: "test server" } },
      { status: "connected", serverInfo: { name: "test server" } },
    ]);
  });

  test.each<[string, (cwd: string) => Promise<McpServers>]>([
    ["configures another variable", (cwd) => session(cwd, shared("good", { A: "1" }))],
    ["has another environment", (cwd) => session(cwd, shared(), { env: { PATH: process.env.PATH, A: "1" } })],
    ["has other arguments", (cwd) => session(cwd, shared("noisy"))],
    ["works in another folder", async () => session(await freshFolder())],
    ["does not declare it", (cwd) => session(cwd, program())],
    ["has a separate process", (cwd) => session(cwd, shared(), { sharesProcess: false })],
  ])("is a separate process for a session that %s", async (_, other) => {
    const cwd = await freshFolder();
    const [one, two] = await Promise.all([session(cwd), other(cwd)]);
    expect(await pidOf(one)).not.toBe(await pidOf(two));
  });

  test("returns to each session the results of its own calls, even if several are open", async () => {
    const cwd = await freshFolder();
    const sessions = await Promise.all(Array.from({ length: 10 }, () => session(cwd)));
    const answers = sessions.map((one, index) =>
      Promise.all(
        Array.from({ length: 20 }, (_, turn) =>
          textOf(one, "late", { text: `${index}/${turn}`, ms: (turn * 7 + index * 3) % 50 }),
        ),
      ),
    );
    const expected = sessions.map((_, index) => Array.from({ length: 20 }, (_, turn) => `${index}/${turn}`));
    expect(await Promise.all(answers)).toEqual(expected);
  });

  test("is notified when a session cancels its call, and only of that call", async () => {
    const cwd = await freshFolder();
    const { log, texts } = keepingLog();
    const [one, two] = [await session(cwd, shared(), { log }), await session(cwd)];
    const [giveUp, later] = [new AbortController(), new AbortController()];
    const waiting = [textOf(one, "wait", {}, giveUp.signal), textOf(two, "wait", {}, later.signal)];
    const ends = Promise.allSettled(waiting);
    await textOf(two, "echo", { text: "both wait now" });
    const cancelled = () => texts.join().split("cancelled true").length - 1;
    giveUp.abort(new Error("enough"));
    await eventually(() => cancelled() === 1, "the server was notified");
    expect(await Promise.race([waiting[1], textOf(two, "echo", { text: "still" })])).toMatch(/^echo: still/);
    expect(texts.join()).not.toContain("cancelled false");
    later.abort(new Error("enough"));
    await eventually(() => cancelled() === 2, "the server was notified again");
    expect(await ends).toMatchObject([{ status: "rejected" }, { status: "rejected" }]);
  });

  test("continues for other sessions if a session ends during a call", async () => {
    const cwd = await freshFolder();
    const { log, texts } = keepingLog();
    const [one, two] = [await session(cwd), await session(cwd, shared(), { log })];
    const pid = await pidOf(two);
    const ended = expect(textOf(one, "wait")).rejects.toThrow();
    await textOf(one, "echo", { text: "it waits now" });
    await one.close();
    await ended;
    await eventually(() => texts.join().includes("cancelled true"), "the server was notified");
    expect(await pidOf(two)).toBe(pid);
  });

  test("is kept for a while after its last session, and then ended", async () => {
    const cwd = await freshFolder();
    const one = await session(cwd);
    const pid = await pidOf(one);
    await one.close();
    const two = await session(cwd);
    expect(await pidOf(two)).toBe(pid);
    await two.close();
    expect(isAlive(pid)).toBe(true);
    await eventually(() => !isAlive(pid), "the server ended");
  });

  test("fails the open calls of all sessions when it dies, and is restarted once for all", async () => {
    const cwd = await freshFolder();
    const sessions = await Promise.all([session(cwd), session(cwd), session(cwd)]);
    const [one] = sessions;
    for (const _ of [1, 2]) {
      const pid = await pidOf(one);
      const failed = sessions.map((each) =>
        expect(textOf(each, "wait")).rejects.toThrow(/killed by SIGKILL/),
      );
      await Promise.all(sessions.map((each) => textOf(each, "echo", { text: "they wait now" })));
      process.kill(pid, "SIGKILL");
      await Promise.all(failed);
      const pids = new Set(await Promise.all(sessions.map(pidOf)));
      expect(pids.size).toBe(1);
      expect(pids).not.toContain(pid);
    }
  });

  test("fails for all sessions with the same reason if it can't be started", async () => {
    const cwd = await freshFolder();
    const broken = await Promise.all([session(cwd, shared("broken")), session(cwd, shared("broken"))]);
    for (const one of broken)
      expect(one.status()).toMatchObject([
        { status: "failed", error: expect.stringContaining("exited with code 3: no database here") },
      ]);
    const missing = { ...shared(), command: "/nonexistent/server" };
    const none = await Promise.all([session(cwd, missing), session(cwd, missing)]);
    for (const one of none)
      expect(one.status()).toMatchObject([{ status: "failed", error: expect.stringContaining("ENOENT") }]);
  });

  test("is a separate process for a session that reconnects on request", async () => {
    const cwd = await freshFolder();
    const [one, two] = [await session(cwd), await session(cwd)];
    const pid = await pidOf(two);
    await one.reconnect("s");
    expect(await pidOf(one)).not.toBe(pid);
    expect(await pidOf(two)).toBe(pid);
  });

  test("reports changes of its tools to all sessions", async () => {
    const cwd = await freshFolder();
    const sessions = await Promise.all([session(cwd), session(cwd)]);
    await textOf(sessions[0], "grow");
    for (const one of sessions)
      await eventually(() => one.tools().some(({ name }) => name === "mcp__s__grown"), "it is listed");
  });

  test("may ask the user of the only session that has called it, but no user if several have", async () => {
    const cwd = await freshFolder();
    const asked: string[] = [];
    const asker = (name: string): Partial<Options> => ({
      onElicitation: async ({ message }) => {
        asked.push(`${name}: ${message}`);
        return { action: "accept", content: { name } };
      },
    });
    const [one, two] = [
      await session(cwd, shared(), asker("one")),
      await session(cwd, shared(), asker("two")),
    ];
    expect(JSON.parse(await textOf(two, "ask"))).toEqual({ action: "accept", content: { name: "two" } });
    expect(asked).toEqual(["two: Who?"]);
    const stop = new AbortController();
    const waiting = expect(textOf(one, "wait", {}, stop.signal)).rejects.toThrow();
    await textOf(one, "echo", { text: "it waits now" });
    expect(await textOf(two, "ask")).toContain("can't be told which of them");
    expect(asked).toHaveLength(1);
    stop.abort(new Error("enough"));
    await waiting;
  });

  test("sends progress and answers to the calling session, under that session's own ids", async () => {
    const cwd = await freshFolder();
    const { command, args } = program();
    const open = async (groups: ProcessGroups) =>
      new StdioTransport({ command, args, env: { PATH: process.env.PATH }, cwd }, groups, silentLog);
    const talks = await Promise.all(
      ["a", "b", "c"].map(async (mark) => {
        const transport = joinConnection(`progress ${cwd}`, silentLog, open);
        afterwards(() => transport.close());
        const got: JSONRPCMessage[] = [];
        transport.onmessage = (message: JSONRPCMessage) => void got.push(message);
        await transport.start();
        const ask = (id: number, method: string, params: JsonObject) =>
          transport.send({ jsonrpc: "2.0", id, method, params });
        await ask(0, "initialize", { protocolVersion: "2025-06-18" });
        await ask(1, "tools/call", {
          name: "steps",
          arguments: { text: mark },
          _meta: { progressToken: "mine", kept: mark },
        });
        return { got, mark };
      }),
    );
    for (const { got, mark } of talks) {
      await eventually(() => got.length === 3, "everything arrived");
      expect(got).toMatchObject([
        { id: 0, result: { serverInfo: { name: "test server" } } },
        { method: "notifications/progress", params: { progressToken: "mine", message: mark } },
        { id: 1, result: { content: [{ text: `done: ${mark}` }] } },
      ]);
    }
  });

  test("that does not read rejects further calls only of the session that has sent too much", async () => {
    const cwd = await freshFolder();
    const deaf = {
      type: "stdio" as const,
      command: process.execPath,
      args: ["-e", DEAF],
      env: {},
      shared: true,
    };
    const [greedy, modest] = [await session(cwd, deaf), await session(cwd, deaf)];
    const stop = new AbortController();
    const large = "x".repeat(10 * 1024 * 1024);
    const first = expect(textOf(greedy, "any", { large }, stop.signal)).rejects.toThrow("enough");
    await expect(textOf(greedy, "any", { large }, stop.signal)).rejects.toThrow(/has not read \d+ bytes/);
    const other = textOf(modest, "any", {}, stop.signal);
    const refused = await Promise.race([other.catch(String), new Promise((end) => setTimeout(end, 200))]);
    expect(refused).toBeUndefined();
    stop.abort(new Error("enough"));
    await first;
  });
});

/** Performs the handshake with two sessions, and then reads nothing. */
const DEAF = `
const { createInterface } = require("node:readline");
let asked = 0;
createInterface({ input: process.stdin }).on("line", (line) => {
  const { id, method } = JSON.parse(line);
  if (id === undefined) return;
  const initialize = { protocolVersion: "2025-06-18", capabilities: { tools: {} }, serverInfo: { name: "deaf", version: "1" } };
  const result = method === "initialize" ? initialize : { tools: [] };
  console.log(JSON.stringify({ jsonrpc: "2.0", id, result }));
  if (method === "tools/list" && ++asked === 2) { process.stdin.pause(); setInterval(() => {}, 1000); }
});`;

describe.each([
  ["http" as const, httpServer],
  ["sse" as const, sseServer],
])("a server over %s that is declared shared", { timeout: 40_000 }, (type, listen) => {
  const connect = async (url: string, headers: Readonly<Record<string, string>>) => {
    const { servers } = await newServers({ sharesProcess: true });
    servers.start({ s: { type, url, headers: { ...headers }, shared: true } });
    await servers.settled(never);
    return servers;
  };

  test("has one connection for sessions with the same headers", async () => {
    const remote = await listen();
    const blue = { "x-team": "blue", "x-other": "1" };
    const sessions = await Promise.all([
      connect(remote.url, blue),
      connect(remote.url, { "x-other": "1", "x-team": "blue" }),
      connect(remote.url, { "x-team": "red" }),
    ]);
    expect(remote.sessions.size).toBe(2);
    expect(await Promise.all(sessions.map((one) => textOf(one, "now")))).toEqual(["noon", "noon", "noon"]);
  });

  test("is disconnected when it does not answer", async () => {
    let asked = 0;
    const silent = createServer(() => void asked++);
    await new Promise<void>((resolve) => silent.listen(0, "127.0.0.1", resolve));
    afterwards(async () => {
      silent.close();
      silent.closeAllConnections();
    });
    const connections = () =>
      new Promise<number>((resolve) => silent.getConnections((_, count) => resolve(count)));
    const { port } = silent.address() as AddressInfo;
    const sessions = await Promise.all(
      [1, 2].map(async () => {
        const { servers } = await newServers({ sharesProcess: true, connectTimeoutMs: 2_000 });
        servers.start({ s: { type, url: `http://127.0.0.1:${port}/mcp`, shared: true } });
        return servers;
      }),
    );
    for (const one of sessions) await one.settled(never);
    expect(sessions.map((one) => one.status()[0]?.status)).toEqual(["failed", "failed"]);
    expect(asked).toBe(1);
    while ((await connections()) > 0) await delay(20);
  });

  test("is reconnected once for all sessions after it has forgotten them", async () => {
    const remote = await listen();
    const sessions = await Promise.all([connect(remote.url, {}), connect(remote.url, {})]);
    expect(remote.sessions.size).toBe(1);
    remote.dropAll();
    for (const one of sessions) await textOf(one, "now").catch(() => {});
    for (const one of sessions) await one.settled(never);
    expect(await Promise.all(sessions.map((one) => textOf(one, "now")))).toEqual(["noon", "noon"]);
    expect(remote.sessions.size).toBe(1);
  });
});
