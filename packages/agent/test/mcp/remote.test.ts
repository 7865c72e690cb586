import { describe, expect, test } from "vitest";
import { httpServer, refusingServer, sseServer } from "./remote-servers.ts";
import { call, eventually, never, newServers } from "./session.ts";

describe.each([
  ["http" as const, httpServer],
  ["sse" as const, sseServer],
])("a server over %s", (type, listen) => {
  test("is connected and called with the configured headers", async () => {
    const remote = await listen();
    const { servers } = await newServers();
    servers.start({ time: { type, url: remote.url, headers: { "x-team": "blue" } } });
    await servers.settled(never);
    expect(servers.status()).toMatchObject([{ status: "connected", serverInfo: { name: "time" } }]);
    expect(await call(servers, "mcp__time__now")).toMatchObject({
      content: [{ type: "text", text: "noon" }],
    });
    expect(new Set(remote.teams)).toEqual(new Set(["blue"]));
  });

  test("is reconnected after a lost connection, without repeating the call", async () => {
    const remote = await listen();
    const { servers } = await newServers();
    servers.start({ time: { type, url: remote.url } });
    await servers.settled(never);
    remote.dropAll();
    await call(servers, "mcp__time__now").catch(() => {});
    await servers.settled(never);
    expect(await call(servers, "mcp__time__now")).toMatchObject({ content: [{ text: "noon" }] });
  });

  test("fails if the new connection is lost before any answer", async () => {
    const remote = await listen();
    const { servers } = await newServers();
    servers.start({ time: { type, url: remote.url } });
    await servers.settled(never);
    for (let losses = 0; losses < 2; losses++) {
      remote.dropAll();
      await call(servers, "mcp__time__now").catch(() => {});
      await servers.settled(never);
    }
    await eventually(() => servers.status()[0]?.status === "failed", "the server failed");
    await servers.reconnect("time");
    expect(await call(servers, "mcp__time__now")).toMatchObject({ content: [{ text: "noon" }] });
  });

  test("fails when it disappears", async () => {
    const remote = await listen();
    const { servers } = await newServers();
    servers.start({ time: { type, url: remote.url } });
    await servers.settled(never);
    await remote.stop();
    await call(servers, "mcp__time__now").catch(() => {});
    await eventually(() => servers.status()[0]?.status === "failed", "the server failed");
    expect(servers.status()[0]?.error).toMatch(/ECONNREFUSED|fetch failed/);
  });

  test("reports needs-auth if it requires a login", async () => {
    const remote = await refusingServer(401);
    const { servers } = await newServers();
    servers.start({ time: { type, url: remote.url } });
    await servers.settled(never);
    expect(servers.status()).toMatchObject([{ status: "needs-auth" }]);
    await expect(servers.reconnect("time")).rejects.toThrow(/login/);
  });

  test("fails if it answers with an error", async () => {
    const remote = await refusingServer(500);
    const { servers } = await newServers();
    servers.start({ time: { type, url: remote.url } });
    await servers.settled(never);
    expect(servers.status()).toMatchObject([{ status: "failed", error: expect.stringContaining("500") }]);
  });
});
