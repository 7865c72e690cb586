import { expect } from "vitest";
import { NO_USAGE } from "../../../src/content/usage.ts";
import { miriad } from "../../../src/dialect/choose.ts";
import type { JsonObject } from "../../../src/json.ts";
import { isFailure, type ResultMessage } from "../../../src/messages/result.ts";
import { added, CACHE_COUNTS } from "../additions.ts";
import type { Table } from "../contract.ts";
import { call, init, prompt, reply, request, result, text, toolResult } from "../official.ts";

const MODEL = "claude-opus-4-5-20251101";
const USAGE_ADDED = added("usage", CACHE_COUNTS);

const inReply = (block: JsonObject) => ({
  type: "assistant",
  message: { role: "assistant", content: [block], model: MODEL },
});

const fails = (messages: readonly unknown[]) =>
  expect(messages.map((message) => isFailure(message as ResultMessage))).toEqual([true]);

const ended = (duration_ms: number, num_turns: number, words: string, tokens: readonly [number, number]) =>
  result({
    session_id: "sess_1",
    duration_ms,
    num_turns,
    result: words,
    usage: { ...NO_USAGE, input_tokens: tokens[0], output_tokens: tokens[1] },
  });

/** Documented miriad lines, and the lines that follow from its rules. */
export const miriadTable: Table = {
  folder: "miriad",
  dialect: miriad,
  contracts: [
    {
      file: "user_text.json",
      from: "host",
      becomes: [{ type: "user", message: { role: "user", content: "Hello" }, session_id: "default" }],
      again: ["+uuid"],
    },
    {
      file: "user_blocks.json",
      from: "host",
      becomes: [{ type: "user", message: { role: "user", content: [{ type: "text", text: "Hello" }] } }],
      again: ["+uuid"],
    },
    {
      file: "control_interrupt.json",
      from: "host",
      becomes: [{ type: "control_request", request: { subtype: "interrupt" } }],
    },
    {
      file: "control_status.json",
      from: "host",
      becomes: [{ type: "control_request", request: { subtype: "session_status" } }],
    },
    {
      file: "system_queued.json",
      from: "agent",
      becomes: [{ type: "system", subtype: "queued", session_id: "sess_2", position: 1 }],
    },
    {
      file: "system_injected.json",
      from: "agent",
      becomes: [{ type: "system", subtype: "injected", message_count: 2, content_length: 150 }],
    },
    {
      file: "assistant_message.json",
      from: "agent",
      becomes: [
        { type: "assistant", message: { content: [text("Hello!")], model: MODEL }, parent_tool_use_id: null },
      ],
      closing: result(),
    },
    {
      file: "assistant_tool_use.json",
      from: "agent",
      becomes: [
        {
          type: "assistant",
          message: { content: [call("call_123", "Read", { file_path: "/tmp/test.txt" })], model: MODEL },
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
          duration_ms: 1234,
          is_error: false,
          num_turns: 3,
          session_id: "default",
          result: "Done!",
          usage: { input_tokens: 100, output_tokens: 50, cache_read_input_tokens: 0 },
        },
      ],
      // The count is the agent's own: this end has seen no tool call.
      again: ["~num_turns", ...USAGE_ADDED, "+duration_api_ms"],
    },
    {
      file: "result_error.json",
      from: "agent",
      becomes: [
        {
          subtype: "error_during_execution",
          is_error: true,
          result: "The model is overloaded",
          errors: ["The model is overloaded"],
        },
      ],
      holds: fails,
      again: [...USAGE_ADDED, "+duration_api_ms"],
    },
    {
      file: "result_cancelled.json",
      from: "agent",
      before: { agentSaid: [reply("msg_1", call("call_1", "Bash", {}))] },
      becomes: [
        {
          subtype: "error_during_execution",
          is_error: true,
          terminal_reason: "aborted_streaming",
          errors: [],
        },
      ],
      holds: fails,
      again: [...USAGE_ADDED, "+duration_api_ms"],
    },
    {
      file: "system_tool_result.json",
      from: "agent",
      becomes: [
        {
          type: "user",
          message: {
            role: "user",
            content: [{ type: "tool_result", tool_use_id: "call_123", content: "file contents" }],
          },
          parent_tool_use_id: null,
        },
      ],
    },
    {
      file: "system_error.json",
      from: "agent",
      becomes: [{ type: "system", subtype: "error", message: "Something went wrong" }],
    },
    {
      file: "system_consolidation.json",
      from: "agent",
      becomes: [{ type: "system", subtype: "consolidation", entries_created: 2, entries_updated: 1 }],
    },
    {
      file: "system_status.json",
      from: "agent",
      before: { hostSaid: [request("req_1", "session_status")] },
      becomes: [
        {
          type: "control_response",
          response: {
            subtype: "success",
            request_id: "req_1",
            response: { running: true, session_id: "sess_1", queued_messages: 2 },
          },
        },
      ],
      oneWay: "the answer belongs to a request that the agent's end has seen",
    },
    {
      file: "system_interrupted.json",
      from: "agent",
      before: { hostSaid: [request("req_1", "interrupt")] },
      becomes: [{ type: "control_response", response: { subtype: "success", request_id: "req_1" } }],
      oneWay: "the answer belongs to a request that the agent's end has seen",
    },
    {
      file: "text_block.json",
      from: "agent",
      inside: inReply,
      becomes: [{ message: { content: [text("Hello world")] } }],
      closing: result(),
    },
    {
      file: "tool_use_block.json",
      from: "agent",
      inside: inReply,
      becomes: [{ message: { content: [call("call_123", "Read", { file_path: "/tmp/test.txt" })] } }],
    },
    {
      file: "tool_result_block.json",
      from: "agent",
      inside: (block) => ({ type: "system", subtype: "tool_result", tool_result: block }),
      becomes: [
        {
          type: "user",
          message: { content: [{ tool_use_id: "call_123", content: "file contents", is_error: false }] },
        },
      ],
    },
  ],
  talks: [
    {
      file: "example_session.jsonl",
      steps: [
        (wire) => wire.hostSays(prompt("Read /tmp/test.txt", { session_id: "sess_1" })),
        (wire) => wire.agentSays(init({ session_id: "sess_1" })),
        (wire) => wire.agentSays(reply("msg_1", text("I'll read that file for you."))),
        (wire) => wire.agentSays(reply("msg_1", call("call_1", "Read", { file_path: "/tmp/test.txt" }))),
        (wire) => wire.agentSays(toolResult("call_1", "Hello from test file!")),
        (wire) => wire.agentSays(reply("msg_2", text("The file contains: Hello from test file!"))),
        (wire) => wire.agentSays(ended(2500, 2, "The file contains: Hello from test file!", [150, 30])),
        (wire) => wire.hostSays(prompt("Thanks!", { session_id: "sess_1" })),
        (wire) => wire.agentSays(init({ session_id: "sess_1" })),
        (wire) => wire.agentSays(reply("msg_3", text("You're welcome!"))),
        (wire) => wire.agentSays(ended(800, 1, "You're welcome!", [50, 10])),
      ],
      agentHears: [
        { type: "user", message: { content: "Read /tmp/test.txt" }, session_id: "sess_1" },
        { type: "user", message: { content: "Thanks!" }, session_id: "sess_1" },
      ],
      hostHears: [
        {
          type: "assistant",
          message: {
            content: [
              text("I'll read that file for you."),
              call("call_1", "Read", { file_path: "/tmp/test.txt" }),
            ],
          },
        },
        {
          type: "user",
          message: { content: [{ tool_use_id: "call_1", content: "Hello from test file!" }] },
        },
        { type: "assistant", message: { content: [text("The file contains: Hello from test file!")] } },
        { type: "result", subtype: "success", num_turns: 1, duration_ms: 2500 },
        { type: "assistant", message: { content: [text("You're welcome!")] } },
        { type: "result", subtype: "success", num_turns: 0, duration_ms: 800 },
      ],
      differs: [4, 7].flatMap((line) => [
        ...added(`${line}.usage`, CACHE_COUNTS),
        `+${line}.duration_api_ms`,
      ]),
    },
  ],
};
