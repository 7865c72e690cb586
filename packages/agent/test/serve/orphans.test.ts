import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { startAgent } from "../agent-process.ts";
import { newApi, STUBBORN } from "../model-source.ts";
import { expectNothingLeft, newPlace } from "../place.ts";
import { isResult, prompt } from "../wire.ts";

const SERVER = fileURLToPath(new URL("../mcp/programs/stdio-server.mjs", import.meta.url));

describe("if the agent is killed", { timeout: 30_000 }, () => {
  test("a hook's command that ignores signals ends too", async () => {
    const place = await newPlace();
    await mkdir(place.configDir, { recursive: true });
    const hooks = { UserPromptSubmit: [{ hooks: [{ type: "command", command: STUBBORN }] }] };
    await writeFile(join(place.configDir, "settings.json"), JSON.stringify({ hooks }));
    const api = await newApi({ steps: [] });
    const agent = startAgent(place, { env: api.env });
    agent.send(prompt("go"));
    await place.file("running");
    agent.child.kill("SIGKILL");
    await agent.ended();
    await expectNothingLeft(place);
  });

  test("an MCP server that ignores signals ends too, with the processes that it started", async () => {
    const place = await newPlace();
    const mcpServers = { stubborn: { command: process.execPath, args: [SERVER, "stubborn"] } };
    const api = await newApi({ steps: [{ text: "here" }] });
    const agent = startAgent(place, { env: api.env, args: ["--mcp-config", JSON.stringify({ mcpServers })] });
    agent.send(prompt("go"));
    await agent.line(isResult);
    expect(place.processes()).not.toHaveLength(1);
    agent.child.kill("SIGKILL");
    await agent.ended();
    await expectNothingLeft(place);
  });
});
