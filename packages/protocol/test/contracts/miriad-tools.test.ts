import { describe, expect, test } from "vitest";
import { miriad } from "../../src/dialect/choose.ts";
import type { AgentMessage } from "../../src/message.ts";
import { hear, written } from "./hearing.ts";
import { answer, toolResult } from "./official.ts";
import { agentLines, openWire } from "./wire.ts";

describe("permission questions", () => {
  const ask = (subtype: string, params: object): AgentMessage =>
    ({ type: "control_request", request_id: "q1", request: { subtype, ...params } }) as AgentMessage;
  const permission = ask("can_use_tool", { tool_name: "Read", input: { file_path: "/f" }, tool_use_id: "c" });
  const hook = ask("hook_callback", {
    callback_id: "h",
    input: { hook_event_name: "PreToolUse", tool_name: "Edit", tool_input: { old_string: "a" } },
  });

  test("spell the tool as the rest of the wire does, and arrive in the canonical spelling", () => {
    const wire = openWire(miriad);
    wire.agentSays(permission);
    wire.agentSays(hook);
    expect(agentLines(wire)).toMatchObject([
      { request: { tool_name: "read", input: { filePath: "/f" } } },
      { request: { input: { tool_name: "edit", tool_input: { oldString: "a" } } } },
    ]);
    expect(wire.hostHeard).toMatchObject([permission, hook]);
  });

  test.each([
    [
      "can_use_tool",
      permission,
      { behavior: "allow", updatedInput: { filePath: "/g" } },
      { file_path: "/g" },
    ],
    [
      "hook_callback",
      hook,
      { hookSpecificOutput: { updatedInput: { oldString: "b" } } },
      { old_string: "b" },
    ],
    [
      "can_use_tool",
      permission,
      { behavior: "allow", updatedInput: { file_path: "/g" } },
      { file_path: "/g" },
    ],
  ])(
    "%s accepts a changed input in miriad's spelling and in the agent's own",
    (_subtype, question, said, input) => {
      const agent = miriad.forAgent();
      written(agent, question);
      const [heard] = hear(agent, { ...answer("q1", said) }).messages;
      expect(JSON.stringify(heard)).toContain(JSON.stringify({ updatedInput: input }).slice(1, -1));
    },
  );
});

describe("the content of a file", () => {
  const read = (content: string, file: string) =>
    written(miriad.forAgent(), {
      ...toolResult("call_1", content),
      tool_use_result: { type: "text", file: { content: file } },
    });

  test.each(["     1\tHello\n     2\tWorld", "1→Hello\n2→World"])(
    "is shown without line numbers",
    (content) => {
      expect(read(content, "Hello\nWorld")).toMatchObject([{ tool_result: { content: "Hello\nWorld" } }]);
    },
  );

  test("is not shown if a hook has replaced it", () => {
    expect(read("withheld", "Hello")).toMatchObject([{ tool_result: { content: "withheld" } }]);
  });
});

test.each([
  { type: "system", subtype: "permission_denied", tool_name: "Write", tool_use_id: "c", message: "no" },
  { type: "tool_progress", tool_name: "Bash", tool_use_id: "c", elapsed_time_seconds: 3 },
])("a tool mentioned by %j is spelled as in its call", (message) => {
  const wire = openWire(miriad);
  wire.agentSays(message as AgentMessage);
  expect(agentLines(wire)).toMatchObject([{ tool_name: message.tool_name.toLowerCase() }]);
  expect(wire.hostHeard).toMatchObject([message]);
});
