import { execFile } from "node:child_process";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import type { ScriptStep } from "@agentwire/models/script";
import type { JsonObject } from "@agentwire/protocol";
import { describe, expect, test } from "vitest";
import { openAgent, startProgram } from "../agent-process.ts";
import { bash, newApi, UNASKED } from "../model-source.ts";
import { newPlace, type Place } from "../place.ts";
import { answers, holds, is, isResult, prompt, request } from "../wire.ts";

const OVERLOADED: ScriptStep = {
  type: "error",
  status: 529,
  error: { type: "overloaded_error", message: "too many" },
};

/** Runs one turn and returns the request to the model and what the host received. */
async function oneTurn(place: Place, args: readonly string[], steps: readonly ScriptStep[] = []) {
  const api = await newApi({ steps, whenExhausted: { text: "heard" } });
  const agent = openAgent(place, { env: api.env, args });
  agent.send(prompt("go"));
  const result = await agent.line(isResult);
  const bodies = api.requests.map(({ body }) => body);
  return { result, bodies, headers: api.requests.map(({ headers }) => headers), lines: agent.lines };
}

async function write(path: string, content: string | JsonObject): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, typeof content === "string" ? content : JSON.stringify(content));
}

/** The part of the system prompt that describes the environment of the model. */
const WHERE = { text: expect.stringContaining("<env>") };

const toolsOf = (body: JsonObject | undefined) =>
  ((body?.tools ?? []) as readonly JsonObject[]).map(({ name }) => name);

describe("the command line", { timeout: 30_000 }, () => {
  test("names fallback models, which replace an overloaded model for one turn", async () => {
    const place = await newPlace();
    const api = await newApi({
      steps: [
        { ...OVERLOADED, repeat: 3 },
        { ...OVERLOADED, repeat: 3 },
        { text: "here I am" },
        { text: "me again" },
      ],
    });
    const args = ["--model", "claude-opus-5-5", "--fallback-model", "claude-sonnet-4-5,claude-haiku-4-5"];
    const agent = openAgent(place, { env: api.env, args });
    agent.send(prompt("go"));
    expect(await agent.line(isResult)).toMatchObject({ result: "here I am" });
    expect(agent.lines.filter(is("system", "informational"))).toHaveLength(2);
    const from = agent.lines.length;
    agent.send(prompt("and now?"));
    await agent.line(isResult, from);
    expect(api.requests.map(({ body }) => body.model)).toEqual([
      ...Array(3).fill("claude-opus-5-5"),
      ...Array(3).fill("claude-sonnet-4-5"),
      "claude-haiku-4-5",
      "claude-opus-5-5",
    ]);
  });

  test.each([
    { model: "opus", thinking: { type: "adaptive" }, max_tokens: 128_000 },
    { model: "claude-opus-5", thinking: { type: "adaptive" }, max_tokens: 64_000 },
    { model: "claude-haiku-4-5", thinking: { type: "enabled", budget_tokens: 31_999 }, max_tokens: 32_000 },
    { model: "claude-3-5-haiku", thinking: undefined, max_tokens: 8192 },
    { model: "somebody-elses", thinking: undefined, max_tokens: 32_000 },
  ])("need not mention thinking: $model then thinks as it is able to", async ({ model, ...wanted }) => {
    const { bodies } = await oneTurn(await newPlace(), ["--model", model]);
    expect(bodies[0]?.thinking).toEqual(wanted.thinking);
    expect(bodies[0]?.max_tokens).toBe(wanted.max_tokens);
  });

  test.each([
    { model: "opus", limit: "5000", max_tokens: 5000, thinking: { type: "adaptive" } },
    {
      model: "claude-haiku-4-5",
      limit: "5000",
      max_tokens: 5000,
      thinking: { type: "enabled", budget_tokens: 4999 },
    },
    { model: "opus", limit: "500000", max_tokens: 128_000, thinking: { type: "adaptive" } },
    { model: "opus", limit: "none", max_tokens: 128_000, thinking: { type: "adaptive" } },
  ])("leaves the maximum length of a reply to the environment: $model, $limit", async (given) => {
    const { model, limit, ...wanted } = given;
    const api = await newApi({ steps: [], whenExhausted: { text: "heard" } });
    const env = { ...api.env, CLAUDE_CODE_MAX_OUTPUT_TOKENS: limit };
    const agent = openAgent(await newPlace(), { env, args: ["--model", model] });
    agent.send(prompt("go"));
    await agent.line(isResult);
    expect(api.requests[0]?.body).toMatchObject(wanted);
  });

  test("sets the effort of the model, its beta features and its token budget", async () => {
    const args = [
      "--effort=high",
      "--task-budget=9000",
      "--betas=context-1m-2025-08-07",
      "--max-thinking-tokens=40000",
      "--thinking-display=summarized",
      "--tools=Bash,Agent,Skill",
    ];
    const { bodies, headers } = await oneTurn(await newPlace(), args);
    expect(bodies[0]).toMatchObject({
      output_config: { effort: "high", task_budget: { type: "tokens", total: 9000 } },
      thinking: { type: "adaptive", display: "summarized" },
      max_tokens: 128_000,
    });
    expect(String(headers[0]?.["anthropic-beta"])).toContain("context-1m-2025-08-07");
    expect(toolsOf(bodies[0])).toEqual(["Bash", "Skill", "Agent"]);
  });

  test("takes the system prompt from files", async () => {
    const place = await newPlace();
    await write(join(place.cwd, "system.md"), "Be a pirate.");
    await write(join(place.cwd, "more.md"), "Sing.");
    const args = ["--system-prompt-file", "system.md", "--append-system-prompt-file", "more.md"];
    const { bodies } = await oneTurn(place, args);
    expect(bodies[0]?.system).toMatchObject([{ text: "Be a pirate." }, WHERE, { text: "Sing." }]);
  });

  test("makes the session run as an agent, with its prompt, tools and model", async () => {
    const agents = { rev: { description: "Reviews", prompt: "Review!", tools: ["Read"], model: "haiku" } };
    const args = ["--agents", JSON.stringify(agents), "--agent", "rev"];
    const { bodies, lines } = await oneTurn(await newPlace(), args);
    expect(bodies[0]?.system).toMatchObject([{ text: "Review!" }, WHERE]);
    expect(bodies[0]?.model).toMatch(/haiku/);
    expect(toolsOf(bodies[0])).toEqual(["Read"]);
    expect(lines.find(is("system", "init"))).toMatchObject({
      agents: ["general-purpose", "rev"],
      tools: ["Read"],
    });
  });

  test("loads plugins with their commands, agents, skills, hooks and servers", async () => {
    const place = await newPlace();
    const plugin = join(place.cwd, "..", "kit");
    const server = fileURLToPath(new URL("../mcp/programs/stdio-server.mjs", import.meta.url));
    await write(join(plugin, ".claude-plugin/plugin.json"), { name: "kit", version: "1.2.3" });
    await write(join(plugin, "commands/greet.md"), "Greet $ARGUMENTS.");
    await write(join(plugin, "agents/scout.md"), "---\ndescription: Scouts\n---\nScout.");
    await write(join(plugin, "skills/knots/SKILL.md"), "---\ndescription: Ties knots\n---\nTie.");
    await write(join(plugin, ".mcp.json"), {
      mcpServers: { tools: { command: process.execPath, args: [server] } },
    });
    const hook = { type: "command", command: "touch $CLAUDE_PLUGIN_ROOT/ran" };
    await write(join(plugin, "hooks/hooks.json"), { hooks: { UserPromptSubmit: [{ hooks: [hook] }] } });
    const { lines, bodies } = await oneTurn(place, ["--plugin-dir", plugin]);
    expect(lines.find(is("system", "init"))).toMatchObject({
      plugins: [{ name: "kit", path: plugin, version: "1.2.3" }],
      slash_commands: expect.arrayContaining(["kit:greet"]),
      agents: expect.arrayContaining(["kit:scout"]),
      skills: ["kit:knots"],
      mcp_servers: [{ name: "plugin:kit:tools", status: "connected" }],
    });
    expect(JSON.stringify(bodies[0]?.tools)).toContain("kit:knots: Ties knots");
    await readFile(join(plugin, "ran"));
  });

  test("lets a tool of an MCP server answer permission questions", async () => {
    const place = await newPlace();
    const server = join(place.cwd, "..", "judge.mjs");
    const answer = JSON.stringify({ behavior: "deny", message: "the judge says no" });
    await write(server, judgeProgram(answer));
    const config = JSON.stringify({ mcpServers: { judge: { command: process.execPath, args: [server] } } });
    const args = ["--mcp-config", config, "--permission-prompt-tool", "mcp__judge__decide"];
    const { lines, result } = await oneTurn(place, args, [{ content: [bash("touch made")] }]);
    expect(JSON.stringify(lines.find(holds("tool_result")))).toContain("the judge says no");
    expect(result).toMatchObject({ permission_denials: [{ tool_name: "Bash" }] });
  });

  test("can require that the host initializes first", async () => {
    const agent = openAgent(await newPlace(), { args: ["--await-initialize"] });
    agent.send(prompt("go"));
    expect(await agent.line(isResult)).toMatchObject({ startup_failure_reason: "initialize_not_first" });
    expect(await agent.ended()).toMatchObject({ code: 1 });
  });

  test("restores the files of an earlier session and exits", async () => {
    const place = await newPlace();
    const uuid = "0d3f6a3e-0b1c-4a52-9d5e-6b1f1b7a0002";
    const content = [
      { type: "tool_use", name: "Write", input: { file_path: join(place.cwd, "a"), content: "new" } },
    ];
    const api = await newApi({ steps: [{ content }], whenExhausted: { text: "written" } });
    const env = { ...api.env, CLAUDE_CODE_ENABLE_SDK_FILE_CHECKPOINTING: "1" };
    const agent = openAgent(place, { env, args: UNASKED });
    agent.send(prompt("write", { uuid }));
    const { session_id } = await agent.line(isResult);
    agent.input.end();
    await agent.ended();
    expect(await readFile(join(place.cwd, "a"), "utf8")).toBe("new");
    const rewind = startProgram(place, { args: ["--resume", String(session_id), "--rewind-files", uuid] });
    expect(await new Promise((resolve) => rewind.once("exit", resolve))).toBe(0);
    await expect(readFile(join(place.cwd, "a"))).rejects.toThrow("ENOENT");
  });

  test.each([
    [["--system-prompt-file", "nowhere.md"], "nowhere.md"],
    [["--agents", "{"], "--agents"],
    [["--await-claim"], "--await-claim"],
    [["--max-turns", "none"], "--max-turns none"],
  ])("is refused with a reason if it makes no sense: %j", async (args, reason) => {
    const place = await newPlace();
    const program = fileURLToPath(new URL("../../bin/agentwire-agent", import.meta.url));
    const run = promisify(execFile)(process.execPath, [program, ...args, "-p", "hi"], {
      cwd: place.cwd,
      env: place.env,
    });
    await expect(run).rejects.toMatchObject({ code: 1, stderr: expect.stringContaining(reason) });
  });
});

describe("fresh tokens", { timeout: 30_000 }, () => {
  test("apply from the next call on; other variables are ignored", async () => {
    const place = await newPlace();
    const api = await newApi({ steps: [], whenExhausted: { text: "heard" } });
    const agent = openAgent(place, { env: api.env });
    const variables = { ANTHROPIC_API_KEY: "fresh-key", PATH: "/nowhere" };
    agent.send({ type: "update_environment_variables", variables, request_id: "env" }, prompt("go"));
    expect(await agent.line(answers("env"))).toMatchObject({
      response: { subtype: "success", response: { applied: ["ANTHROPIC_API_KEY"] } },
    });
    await agent.line(isResult);
    expect((await api.request(0)).headers["x-api-key"]).toBe("fresh-key");
  });
});

describe("get_hooks_listing", { timeout: 30_000 }, () => {
  test("lists the hooks of settings files", async () => {
    const place = await newPlace();
    const hook = { type: "command", command: "true", timeout: 5 };
    const hooks = { PreToolUse: [{ matcher: "Bash", hooks: [hook, { type: "prompt", prompt: "?" }] }] };
    await write(join(place.configDir, "settings.json"), { hooks });
    const agent = openAgent(place);
    agent.send(request("list", "get_hooks_listing"));
    expect(await agent.line(answers("list"))).toMatchObject({
      response: {
        response: {
          events: [{ name: "PreToolUse", hookCount: 1 }],
          hooks: [
            { event: "PreToolUse", matcher: "Bash", source: "userSettings", commandText: "true", timeout: 5 },
          ],
        },
      },
    });
    expect(agent.complaints()).toContain("prompt");
  });
});

/** A server with one tool that always gives the same answer. */
function judgeProgram(answer: string): string {
  const sdk = new URL("../../../../node_modules/@modelcontextprotocol/sdk/dist/esm/server/", import.meta.url);
  return `
    import { McpServer } from ${JSON.stringify(new URL("mcp.js", sdk).href)};
    import { StdioServerTransport } from ${JSON.stringify(new URL("stdio.js", sdk).href)};
    const server = new McpServer({ name: "judge", version: "1" });
    server.tool("decide", async () => ({ content: [{ type: "text", text: ${JSON.stringify(answer)} }] }));
    await server.connect(new StdioServerTransport());
  `;
}
