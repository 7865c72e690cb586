import { expect } from "vitest";
import { isFailure, type ResultMessage } from "../../../src/messages/result.ts";
import { added } from "../additions.ts";
import type { Contract } from "../contract.ts";
import { call, text } from "../official.ts";

/**
 * What the published 1.0 agents write where it differs from their documentation; based on observations of
 * 1.0.22 and 1.0.128.
 */
export const realContracts: readonly Contract[] = [
  {
    file: "real_1_0_22_system_init.json",
    from: "agent",
    becomes: [{ tools: ["Task", "Bash", "Glob", "Grep", "LS", "Read", "Edit", "Write"], mcp_servers: [] }],
    holds: ([message]) => expect(message).not.toHaveProperty("tool_definitions"),
    again: added("", ["slash_commands", "skills", "plugins", "output_style", "claude_code_version"]),
  },
  {
    file: "real_1_0_22_assistant_first_block.json",
    from: "agent",
    becomes: [{ message: { id: "msg_1", content: [text("Reading.")], stop_reason: null } }],
  },
  {
    file: "real_1_0_22_assistant_last_block.json",
    from: "agent",
    becomes: [
      {
        message: {
          id: "msg_1",
          content: [call("toolu_1", "Read", { file_path: "/project/a.txt" })],
          stop_reason: "tool_use",
        },
      },
    ],
  },
  {
    file: "real_1_0_22_user_tool_result.json",
    from: "agent",
    becomes: [{ message: { content: [{ tool_use_id: "toolu_1", content: "     1→hi" }] } }],
  },
  {
    file: "real_1_0_22_result_message.json",
    from: "agent",
    becomes: [
      {
        subtype: "success",
        num_turns: 3,
        result: "It says hi.",
        modelUsage: {},
        permission_denials: [],
        usage: { server_tool_use: { web_search_requests: 0, web_fetch_requests: 0 } },
      },
    ],
    again: [
      "+usage.server_tool_use.web_fetch_requests",
      ...added("", ["stop_reason", "modelUsage", "permission_denials"]),
    ],
  },
  {
    file: "real_1_0_128_interrupt_response.json",
    from: "agent",
    becomes: [{ type: "control_response", response: { subtype: "success", request_id: "req_1" } }],
    holds: ([message]) => expect(message).not.toHaveProperty("response.response"),
  },
  {
    file: "real_1_0_128_interrupted_result.json",
    from: "agent",
    becomes: [{ subtype: "error_during_execution", is_error: false, num_turns: 0 }],
    holds: ([message]) => expect(isFailure(message as ResultMessage)).toBe(true),
    // Hosts of the 1.x wire know one failed subtype and treat all others as success.
    again: ["~subtype", ...added("", ["stop_reason", "modelUsage", "permission_denials"])],
  },
  {
    file: "real_1_0_128_hook_context.json",
    from: "agent",
    becomes: [
      { message: { content: [{ tool_use_id: "toolu_1", content: "ok", is_error: false }] } },
      {
        message: { content: [text("PostToolUse hook additional context: remember the tests")] },
      },
    ],
  },
];
