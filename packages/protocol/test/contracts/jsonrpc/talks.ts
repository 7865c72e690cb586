import { NO_USAGE } from "../../../src/content/usage.ts";
import { added, CACHE_COUNTS, TRAILER } from "../additions.ts";
import type { Talk } from "../contract.ts";
import { answer, prompt, reply, request, result, text } from "../official.ts";
import { lastAsked } from "../wire.ts";

const greeting = reply("msg_1", text("Hello! How can I help?"), { model: "claude-sonnet-4-20250514" });

const done = result({
  duration_ms: 1234,
  duration_api_ms: 1000,
  session_id: "abc123",
  usage: { ...NO_USAGE, input_tokens: 10, output_tokens: 20 },
});

const aborted = result({
  subtype: "error_during_execution",
  is_error: true,
  terminal_reason: "aborted_streaming",
  errors: ["interrupted"],
  duration_ms: 900,
  duration_api_ms: 700,
  session_id: "abc123",
  usage: { ...NO_USAGE, input_tokens: 10, output_tokens: 2 },
});

const greetingGains = (line: number) => [
  ...added(`${line}.result.message`, ["id", "type", "stop_reason", "stop_sequence", "usage"]),
  ...added(`${line}.result`, ["parent_tool_use_id", ...TRAILER]),
];

const resultGains = (line: number) => [
  ...added(`${line}.result.usage`, CACHE_COUNTS),
  ...added(`${line}.result`, ["stop_reason", "modelUsage", "permission_denials", "uuid"]),
];

/** Complete runs in the JSON-RPC envelope. */
export const jsonrpcTalks: readonly Talk[] = [
  {
    file: "run_and_result.jsonl",
    steps: [
      (wire) => wire.hostSays(prompt("Hello", { session_id: "default" })),
      (wire) => wire.agentSays(greeting),
      (wire) => wire.agentSays(done),
    ],
    agentHears: [{ type: "user", message: { content: "Hello" }, session_id: "default" }],
    hostHears: [
      { type: "assistant", message: { content: [text("Hello! How can I help?")] } },
      { type: "result", subtype: "success", duration_ms: 1234 },
    ],
    differs: [...greetingGains(1), ...resultGains(2)],
  },
  {
    file: "run_cancelled.jsonl",
    steps: [
      (wire) => wire.hostSays(prompt("Count to a million")),
      (wire) => wire.agentSays(greeting),
      (wire) => wire.hostSays(request("req_status", "session_status")),
      (wire) => wire.agentSays(answer(lastAsked(wire), { running: true, session_id: "abc123" })),
      (wire) => wire.hostSays(request("req_cancel", "interrupt")),
      (wire) => wire.agentSays(answer(lastAsked(wire), { still_queued: [] })),
      (wire) => wire.agentSays(aborted),
      (wire) => wire.hostSays(prompt("Again")),
      (wire) => wire.agentSays(greeting),
      (wire) => wire.agentSays(done),
    ],
    agentHears: [
      { type: "user", message: { content: "Count to a million" } },
      { type: "control_request", request: { subtype: "session_status" } },
      { type: "control_request", request: { subtype: "interrupt" } },
      { type: "user", message: { content: "Again" } },
    ],
    hostHears: [
      { type: "assistant" },
      {
        type: "control_response",
        response: { request_id: "req_status", response: { running: true, session_id: "abc123" } },
      },
      { type: "result", subtype: "error_during_execution", terminal_reason: "aborted_streaming" },
      { type: "control_response", response: { subtype: "success", request_id: "req_cancel" } },
      { type: "assistant" },
      { type: "result", subtype: "success" },
    ],
    differs: [
      ...greetingGains(1),
      ...resultGains(5),
      ...added("5.result", ["terminal_reason", "errors"]),
      ...added("6.result", ["session_id"]),
      ...greetingGains(8),
      ...resultGains(9),
    ],
  },
];
