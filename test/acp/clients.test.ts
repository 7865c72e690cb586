import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type McpServer, methods } from "@agentclientprotocol/sdk";
import { describe, expect, onTestFinished, test } from "vitest";
import { runMark } from "../run-mark.ts";
import { Editor } from "./editor.ts";

const program = (path: string) => fileURLToPath(new URL(`../../packages/${path}`, import.meta.url));
const AGENT = program("agent/bin/agentwire-agent");
const CLI = program("cli/bin/agentwire");
const MCP = fileURLToPath(new URL("../versions/mcp-program.mjs", import.meta.url));

/** A server that an editor passes to agents. */
const SERVER: McpServer = { name: "program", command: process.execPath, args: [MCP], env: [] };
const ASKER: McpServer = {
  name: "asker",
  command: process.execPath,
  args: [fileURLToPath(new URL("asking-server.mjs", import.meta.url))],
  env: [],
};
const asks = { content: [{ type: "tool_use", name: "mcp__asker__ask", input: {} }] };
const echo = { content: [{ type: "tool_use", name: "mcp__program__echo", input: { text: "five" } }] };

const options = [
  { label: "PostgreSQL", description: "A server" },
  { label: "SQLite", description: "A file" },
];
const question = { question: "Which database?", header: "Database", options, multiSelect: false };
const asksUser = {
  content: [{ type: "tool_use", name: "AskUserQuestion", input: { questions: [question] } }],
};

/** A home folder with a project, and a script for our agent. */
function newHome(steps: readonly object[]) {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "agentwire-acp-")));
  const project = join(folder, "project");
  mkdirSync(project);
  const script = join(folder, "script.json");
  writeFileSync(script, JSON.stringify({ steps }));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const env = { ...runMark(), PATH: process.env.PATH, HOME: folder, AGENTWIRE_HOME: join(folder, "state") };
  return { folder, project, script, env };
}

const bash = (command: string) => ({
  content: [{ type: "tool_use", name: "Bash", input: { command, description: "Do it" } }],
});

describe("an editor on the official library", { timeout: 60_000 }, () => {
  test("drives agentwire-agent --acp: two sessions in one process, a question, a cancellation, and loading a session", async () => {
    const home = newHome([
      { text: "Hello there.", chunkSize: 4 },
      bash("touch made"),
      { text: "Made." },
      { text: "Never finished.", chunkSize: 4, stallAfterChunks: 1 },
    ]);
    const command = [AGENT, "--acp", "--script", home.script] as const;
    const editor = new Editor(command, home.env, home.folder);
    expect(await editor.greet()).toMatchObject({
      protocolVersion: 1,
      agentCapabilities: { loadSession: true, sessionCapabilities: { resume: {}, close: {}, list: {} } },
      authMethods: [{ id: "agentwire" }],
    });
    const open = () => editor.agent.request(methods.agent.session.new, { cwd: home.project, mcpServers: [] });
    const { sessionId, modes, configOptions } = await open();
    expect(modes?.currentModeId).toBe("default");
    expect(configOptions?.map(({ id }) => id)).toContain("mode");
    // Not offered, because it would be rejected.
    expect(modes?.availableModes.map(({ id }) => id)).not.toContain("bypassPermissions");
    expect(await editor.prompt(sessionId, "Hello")).toMatchObject({
      stopReason: "end_turn",
      text: "Hello there.",
    });
    const made = await editor.prompt(sessionId, "Make it");
    expect(made.text).toBe("Made.");
    expect(editor.asked).toMatchObject([{ sessionId, toolCall: { kind: "execute", title: "touch made" } }]);
    expect(made.updates).toContainEqual(
      expect.objectContaining({ sessionUpdate: "tool_call_update", status: "completed" }),
    );
    expect(existsSync(join(home.project, "made"))).toBe(true);
    const other = await open();
    expect(other.sessionId).not.toBe(sessionId);
    expect((await editor.prompt(other.sessionId, "Hello")).text).toBe("Hello there.");
    const cancelled = editor.prompt(sessionId, "And now?");
    await editor.sees(
      (update) => update.sessionUpdate === "agent_message_chunk" && JSON.stringify(update).includes("Neve"),
    );
    await editor.agent.notify(methods.agent.session.cancel, { sessionId });
    expect((await cancelled).stopReason).toBe("cancelled");
    await expect(
      editor.agent.request(methods.agent.session.setMode, { sessionId, modeId: "plan" }),
    ).resolves.toEqual({});
    const listed = await editor.agent.request(methods.agent.session.list, { cwd: home.project });
    expect(listed.sessions.map((session) => session.sessionId)).toEqual(
      expect.arrayContaining([sessionId, other.sessionId]),
    );
    expect(listed.sessions[0]).toMatchObject({ cwd: home.project, title: "Hello" });
    expect(await editor.agent.request(methods.agent.session.list, { cwd: home.folder })).toEqual({
      sessions: [],
    });
    await expect(
      editor.agent.request(methods.agent.session.new, { cwd: "/no/such/folder", mcpServers: [] }),
    ).rejects.toThrow(/no folder/);
    await expect(editor.prompt("unknown", "Hello")).rejects.toThrow(/no open session/);
    expect(editor.check.faults).toEqual([]);
    expect(await editor.close()).toBe(0);

    // Without --acp, the agent recognizes the protocol by the first line.
    const again = new Editor([AGENT, "--script", home.script], home.env, home.folder);
    await again.greet();
    await again.agent.request(methods.agent.session.load, { sessionId, cwd: home.project, mcpServers: [] });
    expect(again.updates.map(({ update }) => update.sessionUpdate)).toEqual(
      expect.arrayContaining(["user_message_chunk", "agent_message_chunk", "tool_call", "tool_call_update"]),
    );
    await expect(
      again.agent.request(methods.agent.session.load, {
        sessionId: "00000000-0000-4000-8000-000000000000",
        cwd: home.project,
        mcpServers: [],
      }),
    ).rejects.toThrow();
    expect(again.check.faults).toEqual([]);
    expect(await again.close()).toBe(0);
  });

  test("drives agentwire acp --no-daemon: our agent alone, with mode and model from the command line, and an MCP server of the editor", async () => {
    const home = newHome([echo, { text: "Added." }]);
    const env = { ...home.env, AGENTWIRE_SCRIPT: home.script };
    const command = [
      CLI,
      "acp",
      "--no-daemon",
      "--mode",
      "acceptEdits",
      "--model",
      "claude-haiku-4-5",
    ] as const;
    const editor = new Editor(command, env, home.folder);
    await editor.greet();
    const { sessionId, modes, configOptions } = await editor.agent.request(methods.agent.session.new, {
      cwd: home.project,
      mcpServers: [SERVER],
    });
    expect(modes?.currentModeId).toBe("acceptEdits");
    expect(configOptions?.find(({ id }) => id === "model")).toMatchObject({
      currentValue: "claude-haiku-4-5",
    });
    const added = await editor.prompt(sessionId, "Say five");
    expect(editor.asked).toMatchObject([{ toolCall: { title: expect.stringContaining("echo") } }]);
    expect(JSON.stringify(added.updates)).toContain("echo: five");
    const set = (configId: string, value: string) =>
      editor.agent.request(methods.agent.session.setConfigOption, { sessionId, configId, value });
    expect((await set("mode", "plan")).configOptions).toContainEqual(
      expect.objectContaining({ id: "mode", currentValue: "plan" }),
    );
    expect((await set("model", "claude-opus-4-5")).configOptions).toContainEqual(
      expect.objectContaining({ id: "model", currentValue: "claude-opus-4-5" }),
    );
    await expect(set("colour", "red")).rejects.toThrow(/no option/);
    expect(editor.check.faults).toEqual([]);
    expect(await editor.close()).toBe(0);
    expect(existsSync(join(home.folder, "state", "daemon.json"))).toBe(false);
  });

  test("drives agentwire acp: a session of the daemon, its list, servers of the editor, questions and forms answered by the editor or in a terminal, and loading a session", async () => {
    const home = newHome([
      { text: "Hello there.", chunkSize: 4 },
      bash("touch made"),
      { text: "Made." },
      echo,
      { text: "Echoed." },
      asksUser,
      { text: "Good choice." },
      asks,
      { text: "Nice to meet you." },
      asks,
      { text: "Again." },
    ]);
    mkdirSync(join(home.folder, "state"), { mode: 0o700 });
    const agents = { agentwire: { args: ["--script", home.script] } };
    writeFileSync(
      join(home.folder, "state", "settings.json"),
      JSON.stringify({ agents, default_agent: "agentwire" }),
    );
    const editor = new Editor([CLI, "acp"], home.env, home.project);
    onTestFinished(() => void execFileSync(CLI, ["daemon", "stop"], { env: home.env, cwd: home.project }));
    expect(await editor.greet()).toMatchObject({ agentCapabilities: { sessionCapabilities: { list: {} } } });
    const { sessionId } = await editor.agent.request(methods.agent.session.new, {
      cwd: home.project,
      mcpServers: [SERVER, ASKER],
    });
    expect(await editor.prompt(sessionId, "Hello")).toMatchObject({
      stopReason: "end_turn",
      text: "Hello there.",
    });

    await editor.sees((update) => {
      if (update.sessionUpdate !== "available_commands_update") return false;
      const compact = update.availableCommands.find(({ name }) => name === "compact");
      return compact?.description !== "" && compact?.input !== null;
    });

    // The editor shows the question, and the terminal answers it.
    editor.answer = "nothing";
    const making = editor.prompt(sessionId, "Make it");
    while (editor.asked.length === 0) await new Promise((resolve) => setTimeout(resolve, 20));
    const terminal = (...args: string[]) =>
      execFileSync(CLI, args, { env: home.env, cwd: home.project, encoding: "utf8", stdio: "pipe" });
    const [question] = JSON.parse(terminal("questions", "--json")).questions;
    terminal("questions", "allow", question.id);
    expect(await making).toMatchObject({ stopReason: "end_turn", text: "Made." });
    expect(existsSync(join(home.project, "made"))).toBe(true);

    editor.answer = "allow_once";
    const echoed = await editor.prompt(sessionId, "Say five");
    expect(echoed.text).toBe("Echoed.");
    expect(JSON.stringify(echoed.updates)).toContain("echo: five");

    // A question to the user: the labels are the options.
    const chosen = await editor.prompt(sessionId, "Ask me");
    expect(chosen.text).toBe("Good choice.");
    expect(editor.asked.at(-1)?.options.map(({ name }) => name)).toEqual([
      "PostgreSQL",
      "SQLite",
      "No answer",
    ]);
    expect(JSON.stringify(chosen.updates)).toMatch(/Which database.*PostgreSQL/);

    // A form that this editor can't show: the user is told where to fill it in.
    const meeting = editor.prompt(sessionId, "Meet me");
    await editor.sees((update) => JSON.stringify(update).includes("asker asks you: Who are you?"));
    const [form] = JSON.parse(terminal("questions", "--json")).questions;
    expect(terminal("questions")).toMatch(/Name\n.*Age \(integer, optional\)/);
    expect(() => terminal("questions", "answer", form.id, "A", "36")).toThrow(
      /Name: enter at least 2 characters/,
    );
    const content = JSON.stringify({ name: "Ada", age: 36 });
    expect(() => terminal("questions", "answer", form.id, "--content", "{}")).toThrow(
      /no answer given to: Name/,
    );
    terminal("questions", "answer", form.id, "--content", content);
    const met = await meeting;
    expect(met.text).toMatch(/agentwire questions answer [\da-f]{8} 'Name' 'Age'\nNice to meet you\.$/);
    expect(JSON.stringify(met.updates)).toMatch(/name\W+Ada\W+age\W+36/);

    const { sessions } = await editor.agent.request(methods.agent.session.list, { cwd: home.project });
    expect(sessions).toMatchObject([{ sessionId, cwd: home.project }]);
    expect(editor.check.faults).toEqual([]);
    expect(await editor.close()).toBe(0);

    const again = new Editor([CLI, "acp"], home.env, home.project);
    await again.greet({ elicitation: { form: {} } });
    await again.agent.request(methods.agent.session.load, { sessionId, cwd: home.project, mcpServers: [] });
    expect(JSON.stringify(again.updates)).toContain("Hello there.");
    again.contents.push(
      { action: "accept", content: { name: "B" } },
      { action: "accept", content: { name: "Bob" } },
    );
    const formed = await again.prompt(sessionId, "Once more");
    expect(formed.text).toBe("Again.");
    expect(JSON.stringify(formed.updates)).toContain("Bob");
    expect(again.forms).toMatchObject([
      { sessionId, mode: "form", message: "Who are you?", requestedSchema: { required: ["name"] } },
      { message: "Name: enter at least 2 characters. Who are you?" },
    ]);
    expect(again.check.faults).toEqual([]);
    expect(await again.close()).toBe(0);
  });
});
