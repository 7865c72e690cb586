import { z } from "../official-sdk.ts";
import { only } from "./only.ts";
import type { Call, Sdk } from "./record.ts";

const asks = (...requests: readonly object[]) => JSON.stringify({ asks: requests });
const canUse = {
  subtype: "can_use_tool",
  tool_name: "Bash",
  input: { command: "ls" },
  tool_use_id: "toolu_1",
};

const notification = { jsonrpc: "2.0", method: "notifications/initialized" };
const add = (input: object) => ({
  jsonrpc: "2.0",
  id: 7,
  method: "tools/call",
  params: { name: "add", arguments: input },
});

function calculator(sdk: Sdk) {
  return sdk.createSdkMcpServer({
    name: "calc",
    timeout: 5000,
    instructions: "Counts.",
    tools: [
      sdk.tool(
        "add",
        "Adds",
        { a: z.number(), b: z.number().optional() },
        async ({ a, b }) => ({ content: [{ type: "text", text: String(a + (b ?? 0)) }] }),
        { searchHint: "sum", alwaysLoad: true, annotations: { readOnlyHint: true } },
      ),
    ],
  });
}

/** One call for each option with a callback, and for the answers that it may return. */
export const CALLBACK_CALLS: Readonly<Record<string, Call>> = {
  "mcpServers here": {
    options: (sdk) => ({ mcpServers: { calc: calculator(sdk) } }),
    prompt: asks(
      { subtype: "mcp_message", server_name: "calc", message: notification },
      { subtype: "mcp_message", server_name: "calc", message: add({ a: 1, b: 2 }) },
    ),
  },
  "mcpServers here with an invalid input": {
    options: (sdk) => ({ mcpServers: { calc: calculator(sdk) } }),
    prompt: asks({ subtype: "mcp_message", server_name: "calc", message: add({ a: "x" }) }),
  },
  "canUseTool that allows": {
    ...only({ canUseTool: async (_name, input) => ({ behavior: "allow", updatedInput: input }) }),
    prompt: asks(canUse),
  },
  "canUseTool that denies": {
    ...only({ canUseTool: async () => ({ behavior: "deny", message: "no", interrupt: true }) }),
    prompt: asks(canUse),
  },
  "canUseTool with all fields": {
    ...only({
      canUseTool: async (name, input, { signal: _, ...context }) => ({
        behavior: "deny",
        message: JSON.stringify([name, input, Object.entries(context).sort()]),
      }),
    }),
    prompt: asks({
      ...canUse,
      permission_suggestions: [{ type: "setMode", mode: "acceptEdits", destination: "session" }],
      blocked_path: "/x",
      decision_reason: "why",
      decision_reason_type: "rule",
      title: "t",
      display_name: "d",
      description: "e",
      agent_id: "a",
      mcp_server: { name: "s", source: "sdk" },
      matched_ask_rule: { source: "session", tool_name: "Bash", rule_content: "ls" },
      default_to_no: true,
      suppress_always_allow_rule: false,
      requires_user_interaction: true,
    }),
  },
  "canUseTool that throws": {
    ...only({
      canUseTool: async () => {
        throw new Error("broken");
      },
    }),
    prompt: asks(canUse),
  },
  "no canUseTool": { prompt: asks(canUse) },
  hooks: {
    ...only({
      hooks: {
        PreToolUse: [
          {
            matcher: "Bash|Write",
            timeout: 5,
            hooks: [async () => ({ decision: "block", reason: "no" }), async () => ({ async: true })],
          },
          { hooks: [async (input, id) => ({ systemMessage: `${input.hook_event_name} ${id}` })] },
        ],
        Stop: [],
      },
    }),
    prompt: asks(
      { subtype: "hook_callback", callback_id: "hook_0", input: hookInput(), tool_use_id: "t" },
      { subtype: "hook_callback", callback_id: "hook_1", input: hookInput() },
      { subtype: "hook_callback", callback_id: "hook_2", input: hookInput(), tool_use_id: "t" },
    ),
  },
  "hooks that must not fail": only({ hooks: { Stop: [{ onFailure: "block", hooks: [async () => ({})] }] } }),
  "hooks of a future event": {
    ...only({
      hooks: { PreToolUse: [{ hooks: [async (input) => ({ systemMessage: JSON.stringify(input) })] }] },
    }),
    prompt: asks({
      subtype: "hook_callback",
      callback_id: "hook_0",
      input: { hook_event_name: "NotYet", session_id: "s", what: 1 },
    }),
  },
  "hooks of an unknown id": {
    prompt: asks({ subtype: "hook_callback", callback_id: "hook_9", input: hookInput() }),
  },
  onElicitation: {
    ...only({ onElicitation: async ({ serverName }) => ({ action: "accept", content: { serverName } }) }),
    prompt: asks({ subtype: "elicitation", mcp_server_name: "s", message: "name?", mode: "form" }),
  },
  "no onElicitation": { prompt: asks({ subtype: "elicitation", mcp_server_name: "s", message: "name?" }) },
  onUserDialog: {
    ...only({
      supportedDialogKinds: ["k"],
      onUserDialog: async ({ dialogKind, payload }) => ({
        behavior: "completed",
        result: { dialogKind, payload },
      }),
    }),
    prompt: asks({ subtype: "request_user_dialog", dialog_kind: "k", payload: { a: 1 } }),
  },
  "an unknown request": { prompt: asks({ subtype: "not_yet", a: 1 }) },
};

function hookInput() {
  return {
    hook_event_name: "PreToolUse",
    session_id: "s",
    transcript_path: "/t",
    cwd: "/c",
    tool_name: "Bash",
    tool_input: { command: "ls" },
    tool_use_id: "t",
  };
}
