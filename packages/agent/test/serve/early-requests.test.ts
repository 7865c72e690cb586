import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { JsonObject } from "@agentwire/protocol";
import { expect, test } from "vitest";
import { startAgent } from "../agent-process.ts";
import { newApi } from "../model-source.ts";
import { newPlace, type Place } from "../place.ts";
import { answer, answers, asks, isResult, prompt, request } from "../wire.ts";

const SUMS = JSON.stringify({ mcpServers: { sums: { type: "sdk", name: "sums" } } });
const ADD = { name: "add", inputSchema: { type: "object" } };

/** The answers of a server in the host to the handshake, by method. */
const HANDSHAKE: Readonly<Record<string, JsonObject>> = {
  initialize: {
    protocolVersion: "2025-06-18",
    capabilities: { tools: {} },
    serverInfo: { name: "sums", version: "1" },
  },
  "tools/list": { tools: [ADD] },
};

/** A project that needs trust and has so many commands that setting up the session takes a while. */
async function newBusyProject({ cwd }: Place): Promise<void> {
  await mkdir(join(cwd, ".claude", "commands"), { recursive: true });
  const settings = { permissions: { allow: ["Bash(true)"] } };
  await writeFile(join(cwd, ".claude", "settings.json"), JSON.stringify(settings));
  const names = Array.from({ length: 1000 }, (_, i) => `command-${i}.md`);
  await Promise.all(names.map((name) => writeFile(join(cwd, ".claude", "commands", name), "Do it.")));
}

test("servers in the host are reached, and prompts wait, while the session is being set up", async () => {
  const place = await newPlace();
  await newBusyProject(place);
  const api = await newApi({ steps: [{ text: "hello" }] });
  const args = ["--mcp-config", SUMS, "--strict-mcp-config", "--setting-sources", "project"];
  const agent = startAgent(place, { env: api.env, args });
  agent.onLine = (line) => {
    if (!asks("mcp_message")(line)) return;
    const { message } = line.request as { message: { id?: number; method: string } };
    const result = HANDSHAKE[message.method] ?? {};
    agent.send(answer(line.request_id, { mcp_response: { jsonrpc: "2.0", id: message.id ?? 0, result } }));
  };
  agent.send(request("hello", "initialize"), prompt("hi"));
  await agent.line(asks("mcp_message"));
  expect(agent.lines.filter(answers("hello"))).toEqual([]);
  expect(await agent.line(isResult)).toMatchObject({ result: "hello" });
  const types = agent.lines.map(({ type }) => type).filter((type) => type !== "control_request");
  expect(types[0]).toBe("control_response");
  expect(agent.lines.find(({ subtype }) => subtype === "init")).toMatchObject({
    mcp_servers: [{ name: "sums", status: "connected" }],
    tools: expect.arrayContaining(["mcp__sums__add"]),
  });
});

test("a request during the setup of the session does not affect the prompts after it", async () => {
  const place = await newPlace();
  await newBusyProject(place);
  const api = await newApi({ steps: [{ text: "hello" }] });
  const agent = startAgent(place, { env: api.env, args: ["--setting-sources", "project"] });
  agent.send(request("stop", "interrupt"), prompt("hi"));
  expect(await agent.line(isResult)).toMatchObject({ subtype: "success", result: "hello" });
  expect(agent.lines.findIndex(answers("stop"))).toBeLessThan(agent.lines.findIndex(isResult));
});

test("a request that can't be granted is refused after the setup of the session, and later ones are answered", async () => {
  const place = await newPlace();
  await newBusyProject(place);
  const api = await newApi({ steps: [{ text: "hello" }] });
  const agent = startAgent(place, { env: api.env, args: ["--setting-sources", "project"] });
  agent.send(request("claim", "claim_session", { cwd: place.cwd }), prompt("hi"));
  expect(await agent.line(answers("claim"))).toMatchObject({ response: { subtype: "error" } });
  expect(await agent.line(isResult)).toMatchObject({ result: "hello" });
});
