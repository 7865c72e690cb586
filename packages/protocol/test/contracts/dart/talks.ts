import { NO_USAGE } from "../../../src/content/usage.ts";
import { added, CACHE_COUNTS, INIT_DEFAULTS } from "../additions.ts";
import type { Talk } from "../contract.ts";
import { answer, init, prompt, reply, request, result, text, toolResult } from "../official.ts";
import { lastAsked } from "../wire.ts";

const session_id = "session-uuid";
const uuid = "message-uuid";

const about = init({
  session_id,
  tool_definitions: [
    { name: "Bash", description: "Execute bash commands" },
    { name: "Read", description: "Read file contents" },
  ],
});

const handshake = {
  commands: [
    { name: "help", description: "..." },
    { name: "clear", description: "..." },
  ],
  output_style: "markdown",
  available_output_styles: ["markdown", "json"],
  models: [
    { value: "sonnet", displayName: "Sonnet (Fast)" },
    { value: "opus", displayName: "Opus (Powerful)" },
  ],
  account: { subscriptionType: "pro", email: "user@example.com" },
};

const usage = { ...NO_USAGE, input_tokens: 100, output_tokens: 50 };
const greeting = reply("msg_1", text("Hello! How can I help you?"), { uuid, session_id, model: "sonnet" });
const hello = { ...greeting, message: { ...greeting.message, usage } };
const done = result({ session_id, duration_ms: 5200, num_turns: 1, usage });

const resultGains = (line: number) => [
  ...added(`${line}.usage`, CACHE_COUNTS),
  ...added(`${line}`, ["is_error", "stop_reason", "duration_ms", "duration_api_ms", "num_turns"]),
  ...added(`${line}`, ["modelUsage", "permission_denials"]),
];

/** The three message flows of the Dart dialect. */
export const dartTalks: readonly Talk[] = [
  {
    file: "session_initialization.jsonl",
    steps: [
      (wire) =>
        wire.hostSays(
          request("uuid", "initialize", {
            systemPrompt: ["optional custom system prompt"],
            mcp_servers: {},
            agents: {},
            hooks: {},
          }),
        ),
      (wire) => wire.agentSays(answer("uuid", handshake)),
      (wire) => wire.agentSays(answer(lastAsked(wire), { running: false, init: about })),
      (wire) => wire.hostSays(prompt("Hello, Claude!")),
      // The turn's own init, whose content the Dart dialect has already sent.
      (wire) => wire.agentSays(about),
      (wire) => wire.agentSays(hello),
      (wire) => wire.agentSays(done),
    ],
    agentHears: [
      { request: { subtype: "initialize", systemPrompt: ["optional custom system prompt"] } },
      { request: { subtype: "session_status" } },
      { type: "user", message: { role: "user", content: "Hello, Claude!" } },
    ],
    hostHears: [
      { type: "control_response", response: { request_id: "uuid", response: handshake } },
      { subtype: "init", session_id, tools: ["Bash", "Read"], tool_definitions: about.tool_definitions },
      { subtype: "session_created", session_id },
      { type: "assistant", message: { content: [text("Hello! How can I help you?")], model: "sonnet" } },
      { type: "result", subtype: "success", num_turns: 1, duration_ms: 5200 },
    ],
    differs: [
      ...added("2", ["cwd", "model", ...INIT_DEFAULTS.filter((key) => key !== "mcp_servers")]),
      ...resultGains(6),
    ],
  },
  {
    file: "permission_request.jsonl",
    steps: [
      (wire) =>
        wire.agentSays(
          request("cb-123", "can_use_tool", {
            tool_name: "Bash",
            input: { command: "ls -la" },
            tool_use_id: "tool-use-uuid",
          }),
        ),
      (wire) => wire.hostSays(answer("cb-123", { behavior: "allow" })),
      (wire) => wire.agentSays(toolResult("tool-use-uuid", "Command output...", { uuid, session_id })),
    ],
    agentHears: [
      { type: "control_response", response: { request_id: "cb-123", response: { behavior: "allow" } } },
    ],
    hostHears: [
      { type: "control_request", request_id: "cb-123", request: { tool_name: "Bash" } },
      { type: "user", message: { content: [{ tool_use_id: "tool-use-uuid" }] } },
    ],
  },
  {
    file: "follow_up.jsonl",
    steps: [
      (wire) => wire.hostSays(prompt("Hello, Claude!")),
      (wire) => wire.lines.splice(0),
      (wire) => wire.hostSays(prompt("Follow-up question...")),
      (wire) => wire.agentSays(hello),
      (wire) => wire.agentSays(done),
    ],
    agentHears: [
      { request: { subtype: "session_status" } },
      { type: "user", message: { content: "Hello, Claude!" } },
      { type: "user", message: { content: "Follow-up question..." } },
    ],
    hostHears: [{ type: "assistant" }, { type: "result", subtype: "success" }],
    differs: resultGains(2),
  },
];
