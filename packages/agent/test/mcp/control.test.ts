import { Unknown } from "@agentwire/protocol";
import type { McpServerConfig } from "@agentwire/protocol/control";
import { describe, expect, test } from "vitest";
import { calculatorHost } from "./fake-host.ts";
import { call, never, newServers, program } from "./session.ts";

const calc = { type: "sdk" as const, name: "calc" };

describe("the host's control of servers", () => {
  test("disables and enables a server", async () => {
    const { servers } = await newServers();
    servers.start({ s: program() });
    await servers.settled(never);
    await servers.toggle("s", false);
    expect(servers.status()).toMatchObject([{ status: "disabled" }]);
    expect(servers.tools()).toEqual([]);
    await servers.toggle("s", true);
    await servers.toggle("s", true);
    expect(servers.status()).toMatchObject([{ status: "connected" }]);
    expect(await call(servers, "mcp__s__echo")).toHaveProperty("data");
  });

  test("rejects unknown servers", async () => {
    const { servers } = await newServers();
    await expect(servers.toggle("x", true)).rejects.toThrow("Server not found: x");
    await expect(servers.reconnect("__proto__")).rejects.toThrow("Server not found: __proto__");
    await expect(servers.readResource("x", "u")).rejects.toThrow("Server not found: x");
  });

  test("replaces servers set earlier and those in the host, and keeps configured ones", async () => {
    const host = await calculatorHost();
    const { servers } = await newServers({ send: host.send });
    servers.start({ configured: program() }, { configured: "project" });
    servers.start({ calc });
    await servers.settled(never);
    expect(await servers.set({ calc, a: program(), b: program("broken") })).toEqual({
      added: ["a", "b"],
      removed: [],
      errors: { b: expect.stringContaining("code 3") },
    });
    expect(await servers.set({ a: program() })).toEqual({ added: [], removed: ["calc", "b"], errors: {} });
    expect(await servers.set({ a: program("good", { X: "1" }) })).toEqual({
      added: ["a"],
      removed: [],
      errors: {},
    });
    expect(await servers.set({})).toEqual({ added: [], removed: ["a"], errors: {} });
    expect(servers.status()).toMatchObject([{ name: "configured", status: "connected" }]);
  });

  test("reports servers that can't be reached", async () => {
    const { servers } = await newServers();
    const strange: McpServerConfig = new Unknown("pigeon", { type: "pigeon" });
    const { errors } = await servers.set({ strange, bad: { type: "http", url: "not a url" } });
    expect(errors).toEqual({
      strange: expect.stringContaining("pigeon"),
      bad: expect.stringMatching(/URL/i),
    });
    expect(servers.status()).toMatchObject([{ config: { type: "pigeon" } }, { status: "failed" }]);
  });

  test("starts nothing after it was closed", async () => {
    const { servers } = await newServers();
    await servers.close();
    servers.start({ s: program() });
    expect(servers.status()).toEqual([]);
  });
});
