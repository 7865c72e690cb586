import { claude } from "../../../src/dialect/claude.ts";
import { added, INIT_DEFAULTS, TRAILER } from "../additions.ts";
import type { Contract, Table } from "../contract.ts";
import { text } from "../official.ts";
import { blockContracts } from "./blocks.ts";
import { controlContracts } from "./control.ts";
import { realContracts } from "./real.ts";
import { earlyTalks } from "./talks.ts";

const MODEL = "claude-sonnet-4-20250514";

/** Keys added to a reply's message that reports only its content and its model. */
const BARE_REPLY = ["id", "type", "stop_reason", "stop_sequence", "usage"];

const errors = [
  "authentication_failed",
  "billing_error",
  "rate_limit",
  "invalid_request",
  "server_error",
  "unknown",
];

/** The smallest value of each message type. */
const messageContracts: readonly Contract[] = [
  {
    file: "user_message.json",
    from: "agent",
    becomes: [
      {
        type: "user",
        message: { role: "user", content: "Hello" },
        uuid: "6f1c",
        parent_tool_use_id: "toolu_parent",
        tool_use_result: { stdout: "ok" },
        session_id: "abc123",
      },
    ],
  },
  {
    file: "user_message_blocks.json",
    from: "host",
    becomes: [{ type: "user", message: { role: "user", content: [text("Hello")] } }],
  },
  {
    file: "assistant_message.json",
    from: "agent",
    becomes: [
      {
        type: "assistant",
        message: { role: "assistant", content: [text("Hello!")], model: MODEL },
        parent_tool_use_id: "toolu_parent",
      },
    ],
    again: [...added("message", BARE_REPLY), ...added("", TRAILER)],
  },
  {
    file: "assistant_errors.json",
    from: "agent",
    // The real agents put the error next to the message; inside the message, where the early SDK declared it,
    // it is kept for readers that look there.
    becomes: errors.map((error) => ({ message: { content: [text("The call failed.")], error } })),
    again: [...added("message", BARE_REPLY), ...added("", ["parent_tool_use_id", ...TRAILER])],
  },
  {
    file: "system_init.json",
    from: "agent",
    becomes: [{ type: "system", subtype: "init", tools: [], permissionMode: "default", session_id: "" }],
    again: added("", ["cwd", "model", "tools", ...INIT_DEFAULTS, ...TRAILER]),
  },
  {
    file: "system_status.json",
    from: "agent",
    becomes: [{ type: "system", subtype: "status", status: null }],
    again: added("", ["status", ...TRAILER]),
  },
  {
    file: "system_unknown.json",
    from: "agent",
    becomes: [{ type: "unknown", raw_type: "system/weather", payload: { sky: "clear" } }],
  },
  {
    file: "result_message.json",
    from: "agent",
    becomes: [
      {
        type: "result",
        subtype: "success",
        duration_ms: 1234,
        duration_api_ms: 1000,
        is_error: false,
        num_turns: 1,
        session_id: "abc123",
        total_cost_usd: 0.01,
        usage: {
          input_tokens: 10,
          output_tokens: 20,
          cache_read_input_tokens: 5,
          cache_creation_input_tokens: 3,
        },
        result: "Done.",
        structured_output: { answer: 42 },
      },
    ],
    again: added("", ["stop_reason", "modelUsage", "permission_denials", "uuid"]),
  },
  {
    file: "stream_event.json",
    from: "agent",
    becomes: [
      {
        type: "stream_event",
        uuid: "6f1c",
        session_id: "abc123",
        event: { type: "content_block_delta", index: 0, delta: { type: "text_delta", text: "Hel" } },
        parent_tool_use_id: "toolu_parent",
      },
    ],
  },
];

/** What the early official SDK declared, in its spelling, and what the real 2.0 writes. */
export const v20Table: Table = {
  folder: "claude_code_v2_0_x",
  dialect: claude,
  contracts: [...messageContracts, ...blockContracts, ...controlContracts, ...realContracts],
  talks: earlyTalks,
};
