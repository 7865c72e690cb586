import { expect } from "vitest";
import { claudeV1 } from "../../../src/dialect/claude-v1.ts";
import type { AgentMessage, HostMessage } from "../../../src/message.ts";
import { isFailure, type ResultMessage } from "../../../src/messages/result.ts";
import { readPermissionResult } from "../../../src/permission/result.ts";
import { added, CACHE_COUNTS, INIT_DEFAULTS, REPLY_DEFAULTS, RESULT_DEFAULTS } from "../additions.ts";
import type { Contract, Table } from "../contract.ts";
import { call, text } from "../official.ts";
import { realContracts } from "./real.ts";

const SESSION = "abc123-def456-...";

const bashSchema = { type: "object", properties: { command: { type: "string" } } };

/** The contract of the 1.0 wire. */
function namesItsSession([message]: readonly (AgentMessage | HostMessage)[]): void {
  if (message?.type !== "system" || message.subtype !== "init") throw new Error("this is no init");
  expect(message.session_id).not.toBe("");
  expect(message.tools).not.toEqual([]);
  expect(message.model).not.toBe("");
}

const fails = (messages: readonly unknown[]) =>
  expect(messages.map((message) => isFailure(message as ResultMessage))).toEqual([true]);

/** The answer is the decision that the agent acts on. */
const decides = (decision: object) => (messages: readonly (AgentMessage | HostMessage)[]) => {
  const decisions = messages.map((message) =>
    message.type === "control_response" && message.response.subtype === "success"
      ? readPermissionResult(message.response.response)
      : undefined,
  );
  expect(decisions).toEqual([decision]);
};

const fromTheAgent: readonly Contract[] = [
  {
    file: "system_init.json",
    from: "agent",
    becomes: [
      {
        type: "system",
        subtype: "init",
        session_id: SESSION,
        tools: ["Bash"],
        tool_definitions: [{ name: "Bash", description: "Execute a bash command", input_schema: bashSchema }],
        model: "claude-sonnet-4-20250514",
        cwd: "/home/user/project",
      },
    ],
    holds: namesItsSession,
    again: added("", INIT_DEFAULTS),
  },
  {
    file: "system_init_unknown_fields.json",
    from: "agent",
    becomes: [
      {
        session_id: "test-123",
        tools: [],
        unknown_field: "should be ignored",
        another_unknown: { nested: true },
      },
    ],
    again: added("", INIT_DEFAULTS),
  },
  {
    file: "assistant_message.json",
    from: "agent",
    becomes: [
      {
        type: "assistant",
        message: {
          content: [
            text("I'll read the file for you."),
            call("toolu_01ABC", "Read", { file_path: "/home/user/project/src/main.rs" }),
          ],
          stop_reason: "tool_use",
          usage: { input_tokens: 1250, output_tokens: 87, cache_read_input_tokens: 0 },
        },
        parent_tool_use_id: null,
      },
    ],
    again: [...added("message.usage", CACHE_COUNTS), ...added("message", REPLY_DEFAULTS)],
  },
  {
    file: "assistant_stop_reasons.json",
    from: "agent",
    becomes: ["end_turn", "tool_use", "max_tokens"].map((stop_reason) => ({ message: { stop_reason } })),
    again: [...added("message.usage", CACHE_COUNTS), ...added("message", REPLY_DEFAULTS)],
  },
  {
    file: "user_tool_result.json",
    from: "agent",
    becomes: [
      {
        type: "user",
        message: {
          content: [
            {
              type: "tool_result",
              tool_use_id: "toolu_01ABC",
              content: "     1\tuse std::io;\n     2\tfn main() {\n     3\t    // entry\n     4\t}\n",
            },
          ],
        },
        parent_tool_use_id: null,
      },
    ],
  },
  {
    file: "stream_events.json",
    from: "agent",
    becomes: [
      { event: { type: "message_start", message: { id: "msg_1" } } },
      { event: { type: "content_block_start", index: 0, content_block: text("") } },
      { event: { type: "content_block_delta", delta: { type: "text_delta", text: "I'll read" } } },
      { event: { type: "content_block_stop", index: 0 } },
      { event: { type: "content_block_start", content_block: call("toolu_01ABC", "Read", {}) } },
      { event: { type: "content_block_delta", delta: { type: "input_json_delta" } } },
      { event: { type: "content_block_stop", index: 1 } },
      { event: { type: "message_delta", delta: { stop_reason: "tool_use" }, usage: { output_tokens: 87 } } },
      { event: { type: "message_stop" } },
    ],
  },
  {
    file: "control_request.json",
    from: "agent",
    becomes: [
      {
        type: "control_request",
        request_id: "req_001",
        request: {
          subtype: "can_use_tool",
          tool_name: "Bash",
          input: { command: "cargo build --release" },
        },
      },
    ],
  },
  {
    file: "control_request_ask_user_question.json",
    from: "agent",
    becomes: [
      {
        request_id: "req_002",
        request: {
          tool_name: "AskUserQuestion",
          input: {
            questions: [
              { question: "Which database?", options: ["PostgreSQL", "SQLite"], multi_select: false },
            ],
          },
        },
      },
    ],
  },
  {
    file: "result_message.json",
    from: "agent",
    becomes: [
      {
        type: "result",
        subtype: "success",
        is_error: false,
        session_id: SESSION,
        duration_ms: 45200,
        total_cost_usd: 0.0847,
        usage: { input_tokens: 15400, output_tokens: 3200, cache_read_input_tokens: 12000 },
      },
    ],
    again: added("", RESULT_DEFAULTS),
  },
  {
    file: "result_error.json",
    from: "agent",
    becomes: [{ subtype: "error_during_execution", is_error: true, errors: ["Rate limit exceeded"] }],
    holds: fails,
    again: added("", [...RESULT_DEFAULTS, "usage"]),
  },
];

const fromTheHost: readonly Contract[] = [
  {
    file: "control_response_allow.json",
    from: "host",
    becomes: [{ type: "control_response", response: { subtype: "success", request_id: "req_001" } }],
    holds: decides({ behavior: "allow", updatedInput: { command: "cargo build --release" } }),
  },
  {
    file: "control_response_deny.json",
    from: "host",
    becomes: [{ type: "control_response", response: { request_id: "req_001" } }],
    holds: decides({ behavior: "deny", message: "User denied permission." }),
  },
  {
    file: "control_response_ask_user_question.json",
    from: "host",
    becomes: [{ type: "control_response", response: { request_id: "req_002" } }],
    holds: decides({
      behavior: "allow",
      updatedInput: {
        questions: [{ question: "Which database?", options: ["PostgreSQL", "SQLite"] }],
        answers: { "Which database?": "SQLite" },
      },
    }),
  },
  {
    file: "user_prompt.json",
    from: "host",
    becomes: [
      {
        type: "user",
        message: { role: "user", content: "Now run the tests please." },
        session_id: SESSION,
      },
    ],
  },
];

/** The documented 1.0 wire, and what the real 1.0 agents write. */
export const v10Table: Table = {
  folder: "claude_code_v1_0_x",
  dialect: claudeV1,
  contracts: [...fromTheAgent, ...fromTheHost, ...realContracts],
  talks: [],
};
