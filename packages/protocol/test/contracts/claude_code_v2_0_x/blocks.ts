import type { JsonObject } from "../../../src/json.ts";
import type { Contract } from "../contract.ts";
import { call, text } from "../official.ts";

const inReply = (block: JsonObject) => ({
  type: "assistant",
  message: {
    id: "msg_1",
    type: "message",
    role: "assistant",
    model: "claude-sonnet-4-20250514",
    content: [block],
    stop_reason: null,
    stop_sequence: null,
    usage: {
      input_tokens: 1,
      output_tokens: 1,
      cache_creation_input_tokens: 0,
      cache_read_input_tokens: 0,
    },
  },
  parent_tool_use_id: null,
  uuid: "6f1c",
  session_id: "abc123",
});

const inPrompt = (block: JsonObject) => ({ type: "user", message: { role: "user", content: [block] } });

/** Each content block that the early official SDK declared. */
export const blockContracts: readonly Contract[] = [
  {
    file: "text_block.json",
    from: "agent",
    inside: inReply,
    becomes: [{ message: { content: [text("Hello")] } }],
  },
  {
    file: "thinking_block.json",
    from: "agent",
    inside: inReply,
    becomes: [
      { message: { content: [{ type: "thinking", thinking: "The user greets.", signature: "sig_1" }] } },
    ],
  },
  {
    file: "tool_use_block.json",
    from: "agent",
    inside: inReply,
    becomes: [{ message: { content: [call("toolu_1", "Read", { file_path: "/tmp/test.txt" })] } }],
  },
  {
    file: "tool_result_blocks.json",
    from: "host",
    inside: inPrompt,
    becomes: [
      { tool_use_id: "toolu_1", content: "text" },
      { tool_use_id: "toolu_2", content: [text("text")], is_error: true },
      { tool_use_id: "toolu_3", content: null },
    ].map((block) => ({ message: { content: [{ type: "tool_result", ...block }] } })),
  },
];
