import { existsSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import type { ScriptReply } from "@agentwire/models/script";
import type { JsonObject } from "@agentwire/protocol";
import { describe, expect, test } from "vitest";
import { openAgent } from "../agent-process.ts";
import { bash, newApi } from "../model-source.ts";
import { expectNothingLeft, newPlace, type Place } from "../place.ts";
import { isResult, prompt } from "../wire.ts";

const SERVER = fileURLToPath(new URL("../mcp/programs/stdio-server.mjs", import.meta.url));
const use = (name: string, input: JsonObject): ScriptReply => ({
  content: [{ type: "tool_use", name, input }],
});
const DELEGATE = use("Agent", {
  description: "Work",
  prompt: "do it",
  subagent_type: "worker",
  run_in_background: false,
});

async function put(place: Place, files: Readonly<Record<string, string>>): Promise<Place> {
  for (const [name, text] of Object.entries(files)) {
    await mkdir(dirname(join(place.cwd, name)), { recursive: true });
    await writeFile(join(place.cwd, name), text);
  }
  return place;
}

/** Makes the session delegate a task to the agent `worker`; returns that agent's first request. */
async function delegate(
  place: Place,
  definition: JsonObject | undefined,
  steps: readonly ScriptReply[],
  args: readonly string[] = [],
) {
  const worker = definition && { description: "Works", prompt: "You work.", ...definition };
  const agents = worker ? ["--agents", JSON.stringify({ worker })] : [];
  const api = await newApi({ steps: [DELEGATE, ...steps], whenExhausted: { text: "done" } });
  const agent = openAgent(place, { env: api.env, args: [...agents, ...args] });
  agent.send(prompt("go"));
  const result = await agent.line(isResult);
  agent.input.end();
  await agent.ended();
  const body = api.requests[1]?.body ?? {};
  return {
    api,
    agent,
    result,
    system: JSON.stringify(body.system),
    messages: JSON.stringify(body.messages),
    tools: ((body.tools ?? []) as JsonObject[]).map(({ name }) => name),
    body,
  };
}

const SKILL = "---\ndescription: About tea\n---\nBoil the water first. !`touch ran`";

describe("an agent definition", { timeout: 30_000 }, () => {
  test("provides the project's notes, unless it excludes them", async () => {
    const place = await put(await newPlace(), { "CLAUDE.md": "Use tabs." });
    const { system } = await delegate(place, {}, []);
    expect(system).toContain("You work.");
    expect(system).toContain("Use tabs.");
    expect(system).toContain(place.cwd);
    const other = await delegate(place, { omitClaudeMd: true }, []);
    expect(other.system).not.toContain("Use tabs.");
  });

  test("provides skills from the start", async () => {
    const place = await put(await newPlace(), { ".claude/skills/tea/SKILL.md": SKILL });
    const { messages } = await delegate(place, { skills: ["tea", "no such skill"] }, []);
    expect(messages).toContain("Boil the water first.");
    expect(existsSync(join(place.cwd, "ran")), "a command that is not allowed").toBe(false);
  });

  test("provides a memory, and the tools to maintain it", async () => {
    const place = await put(await newPlace(), {
      ".claude/agent-memory/worker/MEMORY.md": "The build is slow.",
    });
    const { system, tools } = await delegate(place, { memory: "project", tools: ["Bash"] }, []);
    expect(system).toContain("The build is slow.");
    expect(tools).toEqual(expect.arrayContaining(["Bash", "Read", "Write", "Edit"]));
    expect(tools).not.toContain("Grep");
    const other = await delegate(
      place,
      { memory: "user", criticalSystemReminder_EXPERIMENTAL: "Hurry." },
      [],
    );
    expect(other.system).toContain(join(place.configDir, "agent-memory", "worker"));
    expect(other.system).toContain("Hurry.");
  });

  test("provides MCP servers that end with its agent", async () => {
    const place = await newPlace();
    const own = { own: { command: process.execPath, args: [SERVER, "talkative"] } };
    const steps = [use("mcp__own__echo", { text: "hi" }), { text: "echoed" }];
    const { api, system, agent } = await delegate(place, { mcpServers: [own] }, steps, [
      "--allowedTools",
      "mcp__own",
    ]);
    expect(JSON.stringify(api.requests[2]?.body.messages)).toContain("echo: hi");
    expect(system).toContain("Ask me anything.");
    expect(agent.lines.find((line) => line.subtype === "init")?.mcp_servers).toEqual([]);
    await expectNothingLeft(place);
  });

  test.each([
    [
      { tools: ["mcp__test__echo", "Task", "Read(src/**)"] },
      ["mcp__test__echo", "Agent", "Read"],
      ["Bash", "EnterWorktree"],
    ],
    [{ tools: ["mcp__test"] }, ["mcp__test__echo", "mcp__test__fail"], ["Bash"]],
    [{ disallowedTools: ["mcp__*", "Bash"] }, ["Read"], ["mcp__test__echo", "Bash"]],
  ])("with %o selects the tools of its agent", async (definition, offered, missing) => {
    const mcpServers = { test: { command: process.execPath, args: [SERVER], alwaysLoad: true } };
    const { tools } = await delegate(
      await newPlace(),
      definition,
      [],
      ["--mcp-config", JSON.stringify({ mcpServers })],
    );
    expect(tools).toEqual(expect.arrayContaining(offered));
    for (const name of missing) expect(tools).not.toContain(name);
  });

  test.each([
    ["default", "acceptEdits", true],
    ["default", "dontAsk", false],
    ["acceptEdits", "default", true],
    ["acceptEdits", "plan", false],
    ["plan", "acceptEdits", false],
    ["default", "bypassPermissions", false],
  ])(
    "in a session in mode %s with mode %s allows its agent to write: %s",
    async (mode, permissionMode, writes) => {
      const place = await newPlace();
      const write = use("Write", { file_path: join(place.cwd, "made"), content: "x" });
      await delegate(place, { permissionMode }, [write], ["--permission-mode", mode]);
      expect(existsSync(join(place.cwd, "made"))).toBe(writes);
    },
  );

  test("limits how much of its window an agent uses before it is summarized", async () => {
    const place = await newPlace();
    const steps: ScriptReply[] = [
      { content: [bash("echo one")], usage: { input_tokens: 900 } },
      { text: "<summary>It said one.</summary>" },
      { text: "finished" },
    ];
    const { api } = await delegate(place, { autoCompactWindow: 1000 }, steps, ["--allowedTools", "Bash"]);
    expect(JSON.stringify(api.requests[3]?.body.messages)).toContain("It said one.");
    expect(JSON.stringify(api.requests[3]?.body.messages)).not.toContain("do it");
  });

  test("has the same keys in a file", async () => {
    const front = {
      description: "Works",
      skills: ["tea"],
      memory: "local",
      omitClaudeMd: true,
      permissionMode: "acceptEdits",
      maxTurns: 2,
      effort: "low",
      model: "haiku",
      tools: "Write, Skill",
    };
    const place = await put(await newPlace(), {
      "CLAUDE.md": "Use tabs.",
      ".claude/skills/tea/SKILL.md": SKILL,
      ".claude/agents/worker.md": `---\n${JSON.stringify(front)}\n---\nYou work.`,
    });
    const write = use("Write", { file_path: join(place.cwd, "made"), content: "x" });
    const { system, messages, body, api } = await delegate(place, undefined, [
      write,
      write,
      { text: "main" },
    ]);
    expect(system).not.toContain("Use tabs.");
    expect(system).toContain("agent-memory-local");
    expect(messages).toContain("Boil the water first.");
    expect(body).toMatchObject({ model: expect.stringContaining("haiku"), output_config: { effort: "low" } });
    expect(existsSync(join(place.cwd, "made"))).toBe(true);
    expect(api.requests, "two steps of the agent between two of the session").toHaveLength(4);
  });

  test("in a file of the project can't disable questions", async () => {
    const front = { description: "Works", permissionMode: "bypassPermissions" };
    const place = await put(await newPlace(), {
      ".claude/agents/worker.md": `---\n${JSON.stringify(front)}\n---\nYou work.`,
    });
    await delegate(
      place,
      undefined,
      [{ content: [bash("touch made")] }],
      ["--allow-dangerously-skip-permissions"],
    );
    expect(existsSync(join(place.cwd, "made"))).toBe(false);
  });

  test("also applies to an agent that is the session itself", async () => {
    const place = await put(await newPlace(), {
      ".claude/skills/tea/SKILL.md": SKILL,
      ".claude/commands/begin.md": "Begin with care.",
      ".claude/agent-memory/worker/MEMORY.md": "The build is slow.",
    });
    const worker = {
      description: "Works",
      prompt: "You work.",
      skills: ["tea"],
      memory: "project",
      initialPrompt: "/begin",
      maxTurns: 1,
      effort: "low",
      mcpServers: [{ own: { command: process.execPath, args: [SERVER], alwaysLoad: true } }],
    };
    const api = await newApi({ steps: [{ content: [bash("true")] }] });
    const agent = openAgent(place, {
      env: api.env,
      args: ["--agents", JSON.stringify({ worker }), "--agent", "worker", "--allowedTools", "Bash"],
    });
    agent.send(prompt("go"));
    expect(await agent.line(isResult)).toMatchObject({ subtype: "error_max_turns" });
    const { system, messages, tools, output_config } = api.requests[0]?.body ?? {};
    expect(JSON.stringify(system)).toContain("The build is slow.");
    expect(JSON.stringify(messages)).toMatch(/Boil the water first.*Begin with care.*go/);
    expect(tools).toEqual(expect.arrayContaining([expect.objectContaining({ name: "mcp__own__echo" })]));
    expect(output_config).toEqual({ effort: "low" });
  });
});
