import { describe, expect, test } from "vitest";
import { miriad } from "../../src/dialect/choose.ts";
import { claude } from "../../src/dialect/claude.ts";
import type { AgentMessage } from "../../src/message.ts";
import { hear, written } from "./hearing.ts";
import { answer, call, init, reply, request, result, text, toolResult } from "./official.ts";
import { agentLines, lastAsked, openWire } from "./wire.ts";

/** What the agent writes for consecutive messages. */
function writes(...messages: readonly AgentMessage[]) {
  const agent = miriad.forAgent();
  return messages.flatMap((message) => written(agent, message));
}

describe("replies", () => {
  test("are one line each, even with silent messages between their blocks", () => {
    const [line, ...more] = writes(
      reply("msg_1", text("Let me look.")),
      { type: "keep_alive" },
      { type: "system", subtype: "status", status: "requesting", uuid: "", session_id: "" },
      { type: "system", subtype: "session_state_changed", state: "running", uuid: "", session_id: "" },
      reply("msg_1", call("call_1", "Bash", { command: "ls" })),
    );
    expect(line).toMatchObject({
      message: { content: [text("Let me look."), call("call_1", "bash", { command: "ls" })] },
    });
    expect(more).toEqual([]);
  });

  test("are written before the tool of a call runs, so that parallel calls are separate lines", () => {
    const agent = miriad.forAgent();
    written(agent, reply("msg_1", text("Both.")));
    expect(written(agent, reply("msg_1", call("call_1", "Bash", {})))).toHaveLength(1);
    expect(written(agent, reply("msg_1", call("call_2", "Bash", {})))).toHaveLength(1);
    expect(written(agent, result())).toMatchObject([{ num_turns: 1 }]);
  });

  test("without an id are never merged", () => {
    const lines = writes(reply("", text("One.")), reply("", text("Two.")), result());
    expect(lines).toMatchObject([
      { message: { content: [text("One.")] } },
      { message: { content: [text("Two.")] } },
      { type: "result" },
    ]);
  });

  test.each([
    "init",
    "status",
    "session_state_changed",
    "thinking_tokens",
    "commands_changed",
    "background_tasks_changed",
  ])("are not interrupted by system/%s, which has no line", (subtype) => {
    const line = { type: "system", subtype, state: "idle", commands: [], tasks: [] };
    const [message] = hear(claude.forHost(), line).messages;
    expect(message).toMatchObject({ type: "system", subtype });
    expect(message && writes(message)).toEqual([]);
  });

  test("report why they failed", () => {
    const [line] = writes(reply("msg_1", text("Overloaded"), { error: "overloaded" }), result());
    expect(line).toMatchObject({ type: "assistant", error: "overloaded" });
  });

  test.each([
    ["Read", { file_path: "/f" }, "read", { filePath: "/f" }],
    ["Write", { file_path: "/f", content: "x" }, "write", { filePath: "/f", content: "x" }],
    [
      "Edit",
      { file_path: "/f", old_string: "a", new_string: "b", replace_all: true },
      "edit",
      { filePath: "/f", oldString: "a", newString: "b", replaceAll: true },
    ],
    ["Bash", { command: "ls" }, "bash", { command: "ls" }],
    ["Glob", { pattern: "*" }, "glob", { pattern: "*" }],
    [
      "Grep",
      { pattern: "x", output_mode: "content", head_limit: 3 },
      "grep",
      { pattern: "x", outputMode: "content", headLimit: 3 },
    ],
    [
      "NotebookEdit",
      { notebook_path: "/n", new_source: "s", cell_id: "1", cell_type: "code", edit_mode: "insert" },
      "notebookedit",
      { notebookPath: "/n", newSource: "s", cellId: "1", cellType: "code", editMode: "insert" },
    ],
    ["WebFetch", { url: "u" }, "webfetch", { url: "u" }],
    [
      "WebSearch",
      { allowed_domains: ["a"], blocked_domains: ["b"] },
      "websearch",
      { allowedDomains: ["a"], blockedDomains: ["b"] },
    ],
    ["TodoWrite", { todos: [] }, "todowrite", { todos: [] }],
    [
      "Agent",
      { subagent_type: "s", run_in_background: true },
      "task",
      { subagentType: "s", runInBackground: true },
    ],
    ["mcp__db__query", { file_path: "/f" }, "mcp__db__query", { file_path: "/f" }],
  ])("spell %s %j as %s on the wire and convert it back", (name, input, seedName, seedInput) => {
    const [line] = writes(reply("msg_1", call("call_1", name, input)));
    expect(line).toMatchObject({ message: { content: [call("call_1", seedName, { ...seedInput })] } });
    const { messages } = hear(miriad.forHost(), line ?? {});
    expect(messages).toMatchObject([{ message: { content: [call("call_1", name, { ...input })] } }]);
  });
});

describe("tool results and results", () => {
  test("only the tool results of a message are lines", () => {
    const block = { type: "tool_result", tool_use_id: "call_1", content: "ok" } as const;
    const lines = writes({
      ...toolResult("call_1", "ok"),
      message: { role: "user", content: [text("[Request interrupted]"), block] },
    });
    expect(lines).toEqual([{ type: "system", subtype: "tool_result", tool_result: block }]);
  });

  test("a result without ids has none on the wire", () => {
    const [line] = writes(result());
    for (const id of ["uuid", "session_id"]) expect(line).not.toHaveProperty(id);
  });

  test("a failed tool's result reports the failure", () => {
    const failed = toolResult("call_1", "no such file");
    const [line] = writes({
      ...failed,
      message: {
        role: "user",
        content: [{ type: "tool_result", tool_use_id: "call_1", content: "no such file", is_error: true }],
      },
    });
    expect(line).toEqual({
      type: "system",
      subtype: "tool_result",
      tool_result: {
        type: "tool_result",
        tool_use_id: "call_1",
        content: "no such file",
        is_error: true,
      },
    });
  });

  test("ids on a tool result line are kept", () => {
    const line = { type: "system", subtype: "tool_result", tool_result: {}, session_id: "s1", uuid: "u1" };
    expect(hear(miriad.forHost(), line).messages).toMatchObject([
      { type: "user", session_id: "s1", uuid: "u1" },
    ]);
  });

  test("tool-use cycles are counted per turn, excluding those of subagents", () => {
    const agent = miriad.forAgent();
    const turn = (...messages: readonly AgentMessage[]) =>
      messages.flatMap((message) => written(agent, message)).at(-1)?.num_turns;
    const calls = (id: string) => reply(id, call(`call_${id}`, "Bash", {}));
    const subagent = { parent_tool_use_id: "call_1" };
    expect(turn(calls("1"), toolResult("call_1", ""), calls("2"), toolResult("call_2", ""), result())).toBe(
      2,
    );
    expect(turn(calls("3"), reply("4", call("call_4", "Bash", {}), subagent), result())).toBe(1);
    expect(turn(reply("5", text("Hello")), result({ num_turns: 9 }))).toBe(0);
  });

  test("a failed model call is an error with its text", () => {
    const lines = writes(result({ is_error: true, result: "API Error: 529" }));
    expect(lines).toMatchObject([{ subtype: "error", is_error: true, result: "API Error: 529" }]);
    expect(lines[0]).not.toHaveProperty("errors");
  });

  test("an error that is not part of the text is added", () => {
    const lines = writes(result({ subtype: "error_max_turns", is_error: true, errors: ["enough"] }));
    expect(lines).toMatchObject([{ subtype: "error", errors: ["enough"] }]);
  });
});

describe("status", () => {
  test.each([true, false])("reports running: %s", (running) => {
    const wire = openWire(miriad);
    wire.hostSays(request("req_1", "session_status"));
    const status = { running, session_id: "sess_1", queued_messages: 1 };
    wire.agentSays(answer(lastAsked(wire), { ...status, init: init() }));
    expect(agentLines(wire)).toEqual([{ type: "system", subtype: "status", ...status }]);
    expect(wire.hostHeard).toMatchObject([{ response: { request_id: "req_1", response: status } }]);
  });
});
