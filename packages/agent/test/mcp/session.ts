import { mkdtemp, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { ProcessGroups } from "@agentwire/local/process";
import type { JsonObject } from "@agentwire/protocol";
import { type Log, silentLog } from "@agentwire/protocol/support";
import { expect, onTestFinished, vi } from "vitest";
import { type CreateMcpOptions, createMcpServers } from "../../src/mcp/mcp-servers.ts";
import type { McpServers } from "../../src/mcp/servers.ts";
import type { Tool, ToolContext, ToolOutcome } from "../../src/tools/tool.ts";

/** Runs a callback after the current test, in reverse order of registration. */
export function afterwards(cleanUp: () => Promise<unknown>): void {
  onTestFinished(async () => {
    await cleanUp();
  });
}

/** A new folder for one test. */
export async function freshFolder(): Promise<string> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), "agentwire-mcp-")));
  afterwards(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

/** The configuration of the test server in `programs/`, in one of its modes. */
export function program(mode = "good", env: Readonly<Record<string, string>> = {}) {
  const path = fileURLToPath(new URL("programs/stdio-server.mjs", import.meta.url));
  return { type: "stdio" as const, command: process.execPath, args: [path, mode], env: { ...env } };
}

/** Servers in a new folder, closed after the test. */
export async function newServers(
  options: Partial<CreateMcpOptions> = {},
): Promise<{ servers: McpServers; cwd: string }> {
  const cwd = await freshFolder();
  const groups = new ProcessGroups();
  const servers = createMcpServers({
    send: async () => {
      throw new Error("there are no servers in this host");
    },
    log: silentLog,
    env: { PATH: process.env.PATH },
    cwd,
    groups,
    version: "0.0.0",
    connectTimeoutMs: 30_000,
    ...options,
  });
  afterwards(async () => {
    await servers.close();
    await groups.endAll();
  });
  return { servers, cwd };
}

export const never: AbortSignal = new AbortController().signal;

/** Calls a tool by its full name. */
export async function call(
  servers: McpServers,
  name: string,
  input: JsonObject = {},
  options: { signal?: AbortSignal; outputFolder?: string } = {},
): Promise<ToolOutcome> {
  return await runTool(find(servers, name), input, options);
}

/** Runs a tool with the parts of a workspace that these tools use. */
export async function runTool(
  tool: Tool,
  input: JsonObject = {},
  options: { signal?: AbortSignal; outputFolder?: string } = {},
): Promise<ToolOutcome> {
  const workspace = { outputFolder: options.outputFolder ?? "/nonexistent" } as ToolContext["workspace"];
  return await tool.run(input, { callId: "toolu_1", workspace, signal: options.signal ?? never });
}

/** Finds a tool by its full name. */
export function find(servers: McpServers, name: string): Tool {
  const tool = servers.tools().find((candidate) => candidate.name === name);
  if (!tool) throw new Error(`no tool ${name} among ${servers.tools().map((candidate) => candidate.name)}`);
  return tool;
}

/** Resolves when `condition` holds; otherwise fails with the description. */
export async function eventually(condition: () => boolean, about: string): Promise<void> {
  await vi.waitFor(() => expect(condition(), about).toBe(true), { timeout: 8_000, interval: 10 });
}

/** Whether a process exists. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

/** A log that records its entries. */
export function keepingLog(): { log: Log; texts: string[] } {
  const texts: string[] = [];
  const note = (text: string, fields?: Readonly<Record<string, unknown>>) =>
    void texts.push(`${text} ${JSON.stringify(fields)}`);
  return { log: { debug: note, info: note, warn: note, error: note }, texts };
}
