import { expect, test } from "vitest";
import { assistantMessage } from "../../src/messages/assistant.ts";
import { initMessage } from "../../src/messages/init.ts";
import { promptMessage } from "../../src/messages/prompt.ts";
import { resultMessage } from "../../src/messages/result.ts";
import { userMessage } from "../../src/messages/user.ts";
import { readSlowly } from "./reading.ts";
import { systemSamples } from "./samples.ts";

const zeros = {
  input_tokens: 0,
  output_tokens: 0,
  cache_creation_input_tokens: 0,
  cache_read_input_tokens: 0,
};

test("a minimal init is read with neutral values", () => {
  expect(readSlowly(initMessage, { type: "system", subtype: "init" }).value).toEqual({
    type: "system",
    subtype: "init",
    cwd: "",
    model: "",
    permissionMode: "default",
    tools: [],
    mcp_servers: [],
    slash_commands: [],
    skills: [],
    plugins: [],
    output_style: "default",
    claude_code_version: "",
    apiKeySource: "",
    uuid: "",
    session_id: "",
  });
});

test("a minimal result is read with neutral values and an unknown cost", () => {
  expect(readSlowly(resultMessage, { type: "result" }).value).toEqual({
    type: "result",
    subtype: "success",
    is_error: false,
    stop_reason: null,
    duration_ms: 0,
    duration_api_ms: 0,
    num_turns: 0,
    usage: zeros,
    modelUsage: {},
    permission_denials: [],
    uuid: "",
    session_id: "",
  });
});

test("a reply of the miriad dialect is read with neutral values", () => {
  const line = {
    type: "assistant",
    message: { role: "assistant", content: [{ type: "text", text: "hi" }], model: "m" },
    session_id: "default",
  };
  expect(readSlowly(assistantMessage, line).value).toEqual({
    ...line,
    message: {
      ...line.message,
      id: "",
      type: "message",
      stop_reason: null,
      stop_sequence: null,
      usage: zeros,
    },
    parent_tool_use_id: null,
    uuid: "",
  });
});

test("the shortest prompt is accepted unchanged", () => {
  expect(promptMessage.accepts({ type: "user", message: { role: "user", content: "hi" } })).toBe(true);
});

test("a tool result without ids is accepted unchanged", () => {
  const line = {
    type: "user",
    message: { role: "user", content: [{ type: "tool_result", tool_use_id: "t1", content: null }] },
    parent_tool_use_id: null,
  };
  expect(userMessage.accepts(line)).toBe(true);
});

test("an agent may describe its tools in addition to naming them", () => {
  const tools = { tools: ["Bash"], tool_definitions: [{ name: "Bash", input_schema: { type: "object" } }] };
  const { value, repairs } = readSlowly(initMessage, { ...systemSamples.init?.line, ...tools });
  expect(value).toMatchObject(tools);
  expect(repairs).toEqual([]);
});
