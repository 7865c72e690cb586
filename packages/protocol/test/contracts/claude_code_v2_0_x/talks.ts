import { NO_USAGE } from "../../../src/content/usage.ts";
import { added, CACHE_COUNTS, TRAILER } from "../additions.ts";
import type { Talk } from "../contract.ts";
import { call, prompt, reply, result, text } from "../official.ts";

const model = "claude-sonnet-4-20250514";

/** The keys that a current assistant line adds to an early one. */
const replyGains = (line: number) => [
  ...added(`${line}.message`, ["id", "type", "stop_reason", "stop_sequence", "usage"]),
  ...added(`${line}`, ["parent_tool_use_id", ...TRAILER]),
];

const toolResult = { type: "tool_result", tool_use_id: "call_123", content: "File contents here" } as const;

/** Two message flows: a simple query, and a tool call. */
export const earlyTalks: readonly Talk[] = [
  {
    file: "simple_query.jsonl",
    steps: [
      (wire) => wire.hostSays(prompt("Hello", { session_id: "default" })),
      (wire) => wire.agentSays(reply("msg_1", text("Hello! How can I help?"), { model })),
      (wire) =>
        wire.agentSays(
          result({
            duration_ms: 1234,
            duration_api_ms: 1000,
            session_id: "abc123",
            usage: { ...NO_USAGE, input_tokens: 10, output_tokens: 20 },
          }),
        ),
    ],
    agentHears: [{ type: "user", message: { content: "Hello" }, session_id: "default" }],
    hostHears: [
      { type: "assistant", message: { content: [text("Hello! How can I help?")], model } },
      { type: "result", subtype: "success", duration_ms: 1234, session_id: "abc123", num_turns: 1 },
    ],
    differs: [
      ...replyGains(1),
      ...added("2.usage", CACHE_COUNTS),
      ...added("2", ["stop_reason", "modelUsage", "permission_denials", "uuid"]),
    ],
  },
  {
    file: "tool_use.jsonl",
    steps: [
      (wire) =>
        wire.agentSays(
          reply(
            "msg_1",
            [text("Let me read that file."), call("call_123", "read", { filePath: "/tmp/test.txt" })],
            { model },
          ),
        ),
      (wire) => wire.hostSays(prompt([toolResult], { session_id: "default" })),
      (wire) => wire.agentSays(reply("msg_2", text("The file contains..."), { model })),
      (wire) => wire.agentSays(result()),
    ],
    agentHears: [{ type: "user", message: { content: [toolResult] }, session_id: "default" }],
    hostHears: [
      {
        message: {
          content: [text("Let me read that file."), call("call_123", "read", { filePath: "/tmp/test.txt" })],
        },
      },
      { message: { content: [text("The file contains...")] } },
      { type: "result", subtype: "success" },
    ],
    differs: [
      ...replyGains(0),
      ...replyGains(2),
      // The rest of this result comes from the reader's defaults.
      ...added("3", [
        "is_error",
        "stop_reason",
        "duration_ms",
        "duration_api_ms",
        "num_turns",
        "usage",
        "modelUsage",
        "permission_denials",
        ...TRAILER,
      ]),
    ],
  },
];
