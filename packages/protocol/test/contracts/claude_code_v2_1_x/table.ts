import { expect } from "vitest";
import { claude } from "../../../src/dialect/claude.ts";
import { isFailure, type ResultMessage } from "../../../src/messages/result.ts";
import type { Table } from "../contract.ts";
import { text } from "../official.ts";

const fails = (failed: boolean) => (messages: readonly unknown[]) =>
  expect(messages.map((message) => isFailure(message as ResultMessage))).toEqual([failed]);

/** One of each essential line of 2.1.325; the transcripts contain the rest. */
export const v21Table: Table = {
  folder: "claude_code_v2_1_x",
  dialect: claude,
  contracts: [
    {
      file: "system_init.json",
      from: "agent",
      becomes: [
        {
          session_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
          tools: ["Task", "AskUserQuestion", "Bash"],
          model: "claude-opus-5-5",
          claude_code_version: "2.1.325",
          permissionMode: "default",
        },
      ],
    },
    {
      file: "assistant_message.json",
      from: "agent",
      becomes: [
        {
          message: { id: "msg_fake000002", content: [text("Hello from the fake API.")], stop_reason: null },
        },
      ],
    },
    {
      file: "stream_events.json",
      from: "agent",
      becomes: [
        { event: { type: "message_start", message: { content: [] } }, ttft_ms: 20 },
        { event: { type: "content_block_start", index: 0, content_block: text("") } },
        ...["Streamin", "g text i", "n severa", "l small ", "pieces."].map((piece) => ({
          event: { type: "content_block_delta", delta: { type: "text_delta", text: piece } },
        })),
        { event: { type: "content_block_stop", index: 0 } },
        { event: { type: "message_delta", delta: { stop_reason: "end_turn" } } },
        { event: { type: "message_stop" } },
      ],
    },
    {
      file: "control_request.json",
      from: "agent",
      becomes: [
        {
          type: "control_request",
          request: {
            subtype: "can_use_tool",
            tool_name: "Bash",
            tool_use_id: "toolu_b1",
            permission_suggestions: [
              { type: "addRules", behavior: "allow", destination: "localSettings" },
              { type: "addDirectories", directories: ["/project"] },
              { type: "setMode", mode: "acceptEdits" },
            ],
          },
        },
      ],
    },
    {
      file: "user_tool_result.json",
      from: "agent",
      becomes: [
        {
          type: "user",
          message: { content: [{ tool_use_id: "toolu_b1", content: "done", is_error: false }] },
          tool_use_result: { stdout: "done" },
          tool_result_meta: [{ id: "toolu_b1", permission_decision: { decision: "accept" } }],
        },
      ],
    },
    {
      file: "result_message.json",
      from: "agent",
      becomes: [{ subtype: "success", result: "Hello from the fake API.", terminal_reason: "completed" }],
      holds: fails(false),
    },
    {
      file: "result_error.json",
      from: "agent",
      becomes: [
        {
          subtype: "error_during_execution",
          terminal_reason: "aborted_streaming",
          errors: [expect.stringContaining("[ede_diagnostic]")],
        },
      ],
      holds: fails(true),
    },
    {
      file: "control_response_allow.json",
      from: "host",
      becomes: [
        {
          type: "control_response",
          response: {
            subtype: "success",
            response: { behavior: "allow", updatedInput: { command: "touch made.txt && echo done" } },
          },
        },
      ],
    },
    {
      file: "user_prompt.json",
      from: "host",
      becomes: [{ type: "user", message: { role: "user", content: "make a file" } }],
    },
  ],
  talks: [],
};
