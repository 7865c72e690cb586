import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { readInput } from "../../src/turn/call.ts";
import { call, find, never, newServers, program, runTool } from "./session.ts";

describe("a server that is a program", { timeout: 30_000 }, () => {
  test("is restarted whenever it dies, and its tools remain available", async () => {
    const { servers } = await newServers();
    servers.start({ s: program() });
    await servers.settled(never);
    const echo = find(servers, "mcp__s__echo");
    const offered = () => servers.tools().filter(({ name }) => name.startsWith("mcp__s__")).length;
    const before = offered();
    for (const _ of [1, 2]) {
      await expect(call(servers, "mcp__s__crash")).rejects.toThrow(/exited with code 7: out of luck/);
      expect(offered()).toBe(before);
    }
    expect(await runTool(echo, { text: "again" })).toMatchObject({ content: [{ type: "text" }] });
    expect(servers.status()).toMatchObject([{ status: "connected" }]);
  });

  test("fails if it can't be restarted, and calls of its tools say so", async () => {
    const { servers, cwd } = await newServers();
    const { command, args = [] } = program();
    const script = '[ ! -e "$0" ] && exec "$@"';
    servers.start({ s: { command: "/bin/sh", args: ["-c", script, join(cwd, "gone"), command, ...args] } });
    await servers.settled(never);
    const echo = find(servers, "mcp__s__echo");
    await writeFile(join(cwd, "gone"), "");
    await expect(call(servers, "mcp__s__crash")).rejects.toThrow(/exited with code 7/);
    await expect(runTool(echo)).rejects.toThrow(/s is not connected/);
    expect(servers.status()).toMatchObject([{ status: "failed" }]);
    expect(servers.tools()).toEqual([]);
  });

  test("receives the input of a call as the model wrote it", async () => {
    const { servers } = await newServers();
    servers.start({ s: program() });
    await servers.settled(never);
    const echo = find(servers, "mcp__s__echo");
    expect(readInput(echo, { text: 7, more: true })).toEqual({ text: 7, more: true });
  });
});
