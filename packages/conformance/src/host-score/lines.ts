import { randomUUID } from "node:crypto";
import type { JsonObject } from "@agentwire/protocol";
import type { Step } from "../scripted-agent/step.ts";

const SESSION = "6f1d1c1e-0f4e-4c55-9d9e-5a3c8f1e7a10";

/** The ids that every line of an agent has. */
const ids = () => ({ session_id: SESSION, uuid: randomUUID() });

/** The agent waits for a prompt and starts a turn. */
export const BEGIN: readonly Step[] = [
  { hear: { type: "user" } },
  {
    say: {
      type: "system",
      subtype: "init",
      cwd: "/project",
      tools: ["Bash", "Read"],
      mcp_servers: [],
      model: "claude-opus-4-5",
      permissionMode: "default",
      slash_commands: [],
      apiKeySource: "ANTHROPIC_API_KEY",
      claude_code_version: "2.1.325",
      output_style: "default",
      agents: [],
      skills: [],
      plugins: [],
      ...ids(),
    },
  },
];

/** A line of the agent, with the necessary ids. */
export const line = (value: JsonObject): Step => ({ say: { ...value, ...ids() } });

/** The agent sends a text. */
export function text(content: string, block: JsonObject = { type: "text", text: content }): Step {
  return line({
    type: "assistant",
    parent_tool_use_id: null,
    message: {
      id: "msg_1",
      type: "message",
      role: "assistant",
      model: "claude-opus-4-5",
      content: [block],
      stop_reason: null,
      stop_sequence: null,
      usage: { input_tokens: 1, output_tokens: 1 },
    },
  });
}

/** The agent calls a tool. */
export const calls = (name: string, id: string, input: JsonObject): Step =>
  text("", { type: "tool_use", id, name, input });

/** The end of a turn. */
export function result(answer: string, more: JsonObject = {}): Step {
  return line({
    type: "result",
    subtype: "success",
    is_error: false,
    duration_ms: 10,
    duration_api_ms: 5,
    num_turns: 1,
    result: answer,
    stop_reason: "end_turn",
    total_cost_usd: 0,
    usage: { input_tokens: 1, output_tokens: 1 },
    modelUsage: {},
    permission_denials: [],
    ...more,
  });
}

/** A request of the agent. */
export const asks = (request_id: string, request: JsonObject): Step => ({
  say: { type: "control_request", request_id, request },
});

/** The agent asks whether a tool may run. */
export const asksAbout = (request_id: string, tool_name: string, input: JsonObject): Step =>
  asks(request_id, { subtype: "can_use_tool", tool_name, input, tool_use_id: `toolu_${request_id}` });

/** The agent waits for the answer to one of its requests. */
export const hearsAnswer = (request_id: string): Step => ({
  hear: { type: "control_response", response: { request_id } },
});
