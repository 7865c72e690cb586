import { expect } from "vitest";
import { jsonrpc } from "../../../src/dialect/choose.ts";
import { isFailure, type ResultMessage } from "../../../src/messages/result.ts";
import { added, CACHE_COUNTS, TRAILER } from "../additions.ts";
import type { Contract, Table } from "../contract.ts";
import { prompt, request, text } from "../official.ts";
import { jsonrpcTalks } from "./talks.ts";

const runs = { agentHeard: [{ jsonrpc: "2.0", id: 1, method: "run", params: { prompt: "Hello" } }] };
const asksStatus = request("req_1", "session_status");
const interrupts = request("req_1", "interrupt");

const fails = (messages: readonly unknown[]) =>
  expect(messages.map((message) => isFailure(message as ResultMessage))).toEqual([true]);

const requests: readonly Contract[] = [
  {
    file: "run.json",
    from: "host",
    becomes: [{ type: "user", message: { role: "user", content: "Hello" } }],
    holds: ([message]) => expect(message).not.toHaveProperty("session_id"),
  },
  {
    file: "run_in_session.json",
    from: "host",
    becomes: [{ type: "user", message: { content: "Hello" }, session_id: "default" }],
  },
  {
    file: "run_blocks.json",
    from: "host",
    becomes: [{ type: "user", message: { content: [text("Hello")] } }],
  },
  {
    file: "cancel.json",
    from: "host",
    before: runs,
    becomes: [{ type: "control_request", request: { subtype: "interrupt" } }],
  },
  {
    file: "status.json",
    from: "host",
    becomes: [{ type: "control_request", request: { subtype: "session_status" } }],
  },
];

const responses: readonly Contract[] = [
  {
    file: "assistant_message.json",
    from: "agent",
    before: runs,
    becomes: [{ type: "assistant", message: { content: [text("Hello! How can I help?")] } }],
    again: [
      ...added("result.message", ["id", "type", "stop_reason", "stop_sequence", "usage"]),
      ...added("result", ["parent_tool_use_id", ...TRAILER]),
    ],
  },
  {
    file: "result_message.json",
    from: "agent",
    before: runs,
    becomes: [{ type: "result", subtype: "success", duration_ms: 1234, session_id: "abc123" }],
    again: [
      ...added("result.usage", CACHE_COUNTS),
      ...added("result", ["stop_reason", "modelUsage", "permission_denials", "uuid"]),
    ],
  },
  {
    file: "result_failed.json",
    from: "agent",
    before: runs,
    becomes: [{ type: "result", is_error: true, result: "API Error: 529 overloaded" }],
    holds: fails,
    again: added("result", ["stop_reason", "usage", "modelUsage", "permission_denials", "uuid"]),
  },
  {
    file: "result_cancelled.json",
    from: "agent",
    becomes: [
      {
        type: "result",
        subtype: "error_during_execution",
        terminal_reason: "aborted_streaming",
        usage: { input_tokens: 10, output_tokens: 2 },
      },
    ],
    holds: fails,
    oneWay: "the agent's end says so after a cancel: see run_cancelled.jsonl",
  },
  {
    file: "status_running.json",
    from: "agent",
    before: { hostSaid: [prompt("Hello"), asksStatus] },
    becomes: [
      {
        type: "control_response",
        response: { request_id: "req_1", response: { running: true, request_id: 1, session_id: "abc123" } },
      },
    ],
    oneWay: "the answer belongs to a request that the agent's end has seen",
  },
  {
    file: "status_idle.json",
    from: "agent",
    before: { hostSaid: [asksStatus] },
    becomes: [{ type: "control_response", response: { request_id: "req_1", response: { running: false } } }],
    oneWay: "the answer belongs to a request that the agent's end has seen",
  },
  {
    file: "message.json",
    from: "agent",
    becomes: [{ type: "system", subtype: "consolidation", entries_created: 2, entries_updated: 1 }],
    again: added("params", TRAILER),
  },
];

const REFUSED = "the agent's end refuses while it reads";

const errors: readonly Contract[] = [
  {
    file: "error_bad_json.json",
    from: "agent",
    becomes: [{ type: "system", subtype: "error", message: "the line is not JSON" }],
    oneWay: REFUSED,
  },
  {
    file: "error_invalid_request.json",
    from: "agent",
    becomes: [{ type: "system", subtype: "error", message: expect.stringContaining("a request needs") }],
    oneWay: REFUSED,
  },
  {
    file: "error_unknown_method.json",
    from: "agent",
    before: { hostSaid: [asksStatus] },
    becomes: [
      {
        type: "control_response",
        response: { request_id: "req_1", error: "unknown method walk", error_code: "refused" },
      },
    ],
    oneWay: REFUSED,
  },
  {
    file: "error_bad_params.json",
    from: "agent",
    before: { hostSaid: [prompt("Hello")] },
    becomes: [{ type: "result", is_error: true, errors: [expect.stringContaining("run needs params")] }],
    holds: fails,
    oneWay: REFUSED,
  },
  {
    file: "error_already_running.json",
    from: "agent",
    before: { hostSaid: [prompt("Hello"), prompt("Hello again")] },
    becomes: [
      { subtype: "error_during_execution", is_error: true, errors: ["a run is already in progress"] },
    ],
    holds: fails,
    oneWay: REFUSED,
  },
  {
    file: "error_not_running.json",
    from: "agent",
    before: { hostSaid: [interrupts] },
    becomes: [{ type: "control_response", response: { subtype: "success", request_id: "req_1" } }],
    oneWay: REFUSED,
  },
];

/** The JSON-RPC envelope, built from its rules. */
export const jsonrpcTable: Table = {
  folder: "jsonrpc",
  dialect: jsonrpc,
  contracts: [...requests, ...responses, ...errors],
  talks: jsonrpcTalks,
};
