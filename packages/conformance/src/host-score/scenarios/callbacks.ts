import type { JsonObject } from "@agentwire/protocol";
import { EMPTY_INITIALIZE } from "../../scripted-agent/empty-initialize.ts";
import type { Step } from "../../scripted-agent/step.ts";
import { answers, prints, staysOpenFor, succeeds, writes } from "../checks.ts";
import type { HostTheme } from "../host-scenario.ts";
import { asks, BEGIN, hearsAnswer, line, result } from "../lines.ts";

const INITIALIZE = { type: "control_request", request: { subtype: "initialize" } };

/** What a host knows about the agent after the handshake. */
const INITIALIZED: Step = {
  say: {
    type: "control_response",
    response: {
      subtype: "success",
      request_id: "{{initialize}}",
      response: EMPTY_INITIALIZE,
    },
  },
};

const hookInput = (hook_event_name: string, more: JsonObject = {}) => ({
  hook_event_name,
  session_id: "s",
  transcript_path: "/home/user/s.jsonl",
  cwd: "/project",
  ...more,
});

const rpc = (request_id: string, server_name: string, message: JsonObject) =>
  asks(request_id, { subtype: "mcp_message", server_name, message: { jsonrpc: "2.0", ...message } });

const CLIENT = {
  protocolVersion: "2025-06-18",
  capabilities: {},
  clientInfo: { name: "scripted", version: "1" },
};

const mcpAnswer = (response: JsonObject) => ({ subtype: "success", response: { mcp_response: response } });

/** Hooks and MCP servers in the host, and interrupts. */
export const callbacks: HostTheme = {
  name: "callbacks",
  scenarios: [
    {
      name: "hook",
      about: "a hook is registered in initialize and called by its id, and its output is sent as the answer",
      task: {
        prompts: ["go"],
        hooks: { PreToolUse: { continue: true, systemMessage: "seen" } },
      },
      script: [
        {
          hear: INITIALIZE,
          learn: {
            initialize: ["request_id"],
            hook: ["request", "hooks", "PreToolUse", 0, "hookCallbackIds", 0],
          },
        },
        INITIALIZED,
        ...BEGIN,
        asks("h1", {
          subtype: "hook_callback",
          callback_id: "{{hook}}",
          input: hookInput("PreToolUse", { tool_name: "Bash", tool_input: {}, tool_use_id: "toolu_1" }),
          tool_use_id: "toolu_1",
        }),
        hearsAnswer("h1"),
        result("done"),
        { hear: "end" },
      ],
      checks: [
        succeeds,
        prints("done"),
        answers("h1", { subtype: "success", response: { continue: true, systemMessage: "seen" } }),
        staysOpenFor("h1"),
      ],
    },
    {
      name: "unknown-hook",
      about: "a call of a hook that was never registered is refused at once",
      task: { prompts: ["go"] },
      script: [
        ...BEGIN,
        asks("h1", { subtype: "hook_callback", callback_id: "nobody", input: hookInput("Stop") }),
        hearsAnswer("h1"),
        result("done"),
        { hear: "end" },
      ],
      checks: [succeeds, prints("done"), answers("h1", { subtype: "error" }, 2000)],
    },
    {
      name: "mcp-server",
      about:
        "a server in the host completes the handshake, lists its tool and runs it, and each answer has the id of its request",
      task: { prompts: ["go"], server: "calc" },
      script: [
        { hear: INITIALIZE, learn: { initialize: ["request_id"] } },
        INITIALIZED,
        rpc("m1", "calc", { id: 1, method: "initialize", params: CLIENT }),
        hearsAnswer("m1"),
        rpc("m2", "calc", { method: "notifications/initialized" }),
        hearsAnswer("m2"),
        rpc("m3", "calc", { id: 2, method: "tools/list" }),
        hearsAnswer("m3"),
        ...BEGIN,
        rpc("m4", "calc", {
          id: 3,
          method: "tools/call",
          params: { name: "add", arguments: { a: 2, b: 3 } },
        }),
        hearsAnswer("m4"),
        result("done"),
        { hear: "end" },
      ],
      checks: [
        succeeds,
        prints("done"),
        writes({ ...INITIALIZE, request: { subtype: "initialize", sdkMcpServers: ["calc"] } }),
        answers("m1", mcpAnswer({ id: 1, result: { serverInfo: { name: "calc" } } })),
        answers("m2", { subtype: "success" }),
        answers("m3", mcpAnswer({ id: 2, result: { tools: [{ name: "add" }] } })),
        answers("m4", mcpAnswer({ id: 3, result: { content: [{ type: "text", text: "5" }] } })),
        staysOpenFor("m4"),
      ],
    },
    {
      name: "unknown-mcp-server",
      about: "a message for a server that the host does not have is answered at once",
      task: { prompts: ["go"] },
      script: [
        ...BEGIN,
        rpc("m1", "nobody", { id: 1, method: "tools/list" }),
        hearsAnswer("m1"),
        result("done"),
        { hear: "end" },
      ],
      checks: [succeeds, prints("done"), answers("m1", {}, 2000)],
    },
    {
      name: "interrupt",
      about: "an interrupt is sent as a request, and the host reads until the result of the stopped turn",
      task: { prompts: ["go"], interruptAt: "assistant" },
      script: [
        ...BEGIN,
        line({
          type: "assistant",
          parent_tool_use_id: null,
          message: { id: "msg_1", type: "message", role: "assistant", model: "m", content: [] },
        }),
        {
          hear: { type: "control_request", request: { subtype: "interrupt" } },
          learn: { stop: ["request_id"] },
        },
        {
          say: {
            type: "control_response",
            response: { subtype: "success", request_id: "{{stop}}", response: { still_queued: [] } },
          },
        },
        result("stopped", { terminal_reason: "aborted_streaming" }),
        { hear: "end" },
      ],
      checks: [
        succeeds,
        prints("stopped"),
        writes({ type: "control_request", request: { subtype: "interrupt" } }),
      ],
    },
  ],
};
