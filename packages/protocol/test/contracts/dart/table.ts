import { expect } from "vitest";
import { dart } from "../../../src/dialect/choose.ts";
import { isFailure, type ResultMessage } from "../../../src/messages/result.ts";
import { added, CACHE_COUNTS, INIT_DEFAULTS } from "../additions.ts";
import type { Contract, Table } from "../contract.ts";
import { init, prompt, request, text } from "../official.ts";
import { dartTalks } from "./talks.ts";

const asks = {
  agentSaid: [request("original-request-id", "can_use_tool", { tool_name: "Bash", input: {} })],
};
const created = { type: "session.create", message: { role: "user", content: "Hello" } };

/** The session has been described, so the agent's end asks for nothing else. */
const introduced = { agentSaid: [init()] };

const fromTheHost: readonly Contract[] = [
  {
    file: "control_request_initialize.json",
    from: "host",
    becomes: [
      {
        type: "control_request",
        request_id: "uuid",
        request: {
          subtype: "initialize",
          systemPrompt: ["optional custom system prompt"],
          mcp_servers: {},
          agents: {},
          hooks: {},
        },
      },
      // What this dialect sends the host before the first turn has to be requested.
      { type: "control_request", request: { subtype: "session_status" } },
    ],
    oneWay: "the agent's end adds a question of its own: see session_initialization.jsonl",
  },
  {
    file: "session_create.json",
    from: "host",
    before: introduced,
    becomes: [{ type: "user", message: { role: "user", content: "Hello, Claude!" } }],
  },
  {
    file: "session_create_image.json",
    from: "host",
    before: introduced,
    becomes: [
      {
        type: "user",
        message: {
          content: [
            text("What is in this image?"),
            { type: "image", source: { type: "base64", media_type: "image/png", data: "..." } },
          ],
        },
      },
    ],
  },
  {
    file: "session_send.json",
    from: "host",
    before: { agentHeard: [created], hostSaid: [prompt("Hello")] },
    becomes: [{ type: "user", message: { role: "user", content: "Follow-up question..." } }],
  },
  {
    file: "control_request_interrupt.json",
    from: "host",
    becomes: [{ type: "control_request", request_id: "uuid", request: { subtype: "interrupt" } }],
  },
  {
    file: "callback_response_allow.json",
    from: "host",
    before: asks,
    becomes: [
      {
        type: "control_response",
        response: {
          subtype: "success",
          request_id: "original-request-id",
          response: {
            behavior: "allow",
            updatedInput: {},
            updatedPermissions: [],
            toolUseID: "tool-use-uuid",
          },
        },
      },
    ],
  },
  {
    file: "callback_response_deny.json",
    from: "host",
    before: asks,
    becomes: [
      {
        type: "control_response",
        response: {
          response: {
            behavior: "deny",
            message: "User denied permission",
            toolUseID: "tool-use-uuid",
          },
        },
      },
    ],
  },
];

const fromTheAgent: readonly Contract[] = [
  {
    file: "control_response.json",
    from: "agent",
    before: { agentHeard: [request("uuid", "initialize")] },
    becomes: [
      {
        type: "control_response",
        response: {
          subtype: "success",
          request_id: "uuid",
          response: {
            commands: [{ name: "help" }, { name: "clear" }],
            output_style: "markdown",
            models: [
              { value: "sonnet", displayName: "Sonnet (Fast)" },
              { value: "opus", displayName: "Opus (Powerful)" },
            ],
            account: { subscriptionType: "pro", email: "user@example.com" },
          },
        },
      },
    ],
  },
  {
    file: "session_created.json",
    from: "agent",
    before: { agentHeard: [created] },
    becomes: [{ type: "system", subtype: "session_created", session_id: "session-uuid" }],
  },
  {
    file: "system_init.json",
    from: "agent",
    becomes: [
      {
        subtype: "init",
        session_id: "session-uuid",
        tools: ["Bash", "Read"],
        tool_definitions: [
          { name: "Bash", description: "Execute bash commands" },
          { name: "Read", description: "Read file contents" },
        ],
        mcp_servers: [],
      },
    ],
    again: added("", ["cwd", "model", ...INIT_DEFAULTS.filter((key) => key !== "mcp_servers")]),
  },
  {
    file: "system_compact_boundary.json",
    from: "agent",
    becomes: [{ subtype: "compact_boundary", compact_metadata: { trigger: "auto", pre_tokens: 150000 } }],
    again: ["+uuid"],
  },
  {
    file: "assistant_message.json",
    from: "agent",
    becomes: [
      {
        type: "assistant",
        uuid: "message-uuid",
        session_id: "session-uuid",
        message: {
          role: "assistant",
          content: [text("Hello! How can I help you?")],
          model: "sonnet",
          usage: { input_tokens: 100, output_tokens: 50 },
        },
      },
    ],
  },
  {
    file: "user_message.json",
    from: "agent",
    becomes: [
      {
        type: "user",
        message: {
          role: "user",
          content: [{ type: "tool_result", tool_use_id: "tool-use-uuid", content: "Command output..." }],
        },
      },
    ],
    holds: ([message]) => expect(message).not.toHaveProperty("message.type"),
  },
  {
    file: "result_message.json",
    from: "agent",
    becomes: [{ subtype: "success", is_error: false, num_turns: 1, duration_ms: 5200 }],
    again: [
      ...added("usage", CACHE_COUNTS),
      ...added("", ["is_error", "stop_reason", "duration_ms", "duration_api_ms", "num_turns"]),
      ...added("", ["modelUsage", "permission_denials"]),
    ],
  },
  {
    file: "result_error.json",
    from: "agent",
    becomes: [{ subtype: "error_max_turns", is_error: true, errors: ["Maximum turns exceeded"] }],
    holds: ([message]) => expect(isFailure(message as ResultMessage)).toBe(true),
    again: [
      ...added("", ["turn_count", "duration_seconds", "usage", "errors"]),
      ...added("", ["is_error", "stop_reason", "duration_ms", "duration_api_ms", "num_turns"]),
      ...added("", ["modelUsage", "permission_denials"]),
    ],
  },
  {
    file: "callback_request.json",
    from: "agent",
    becomes: [
      {
        type: "control_request",
        request_id: "callback-uuid",
        request: {
          subtype: "can_use_tool",
          tool_name: "Bash",
          input: { command: "ls -la" },
          tool_use_id: "tool-use-uuid",
          permission_suggestions: [
            {
              type: "addRules",
              rules: [{ toolName: "Bash", ruleContent: "ls *" }],
              behavior: "allow",
              destination: "session",
            },
          ],
        },
      },
    ],
    holds: ([message]) => expect(message).not.toHaveProperty("request.blocked_path"),
  },
  {
    file: "error.json",
    from: "agent",
    becomes: [{ type: "system", subtype: "error", code: "SESSION_NOT_FOUND", message: "Session not found" }],
  },
];

/** Documented lines of the Dart dialect. */
export const dartTable: Table = {
  folder: "dart",
  dialect: dart,
  contracts: [...fromTheHost, ...fromTheAgent],
  talks: dartTalks,
};
