import { expect } from "vitest";
import { readAgentRequest, readHostRequest } from "../../../src/control/read.ts";
import type { AgentMessage, HostMessage } from "../../../src/message.ts";
import type { Contract } from "../contract.ts";

/** Checks that the reader understands every payload. */
const understoodBy =
  (readRequest: (payload: unknown) => { readonly ok: boolean }) =>
  (messages: readonly (AgentMessage | HostMessage)[]) => {
    const payloads = messages.map((message) =>
      message.type === "control_request" ? message.request : undefined,
    );
    expect(payloads.filter((payload) => !readRequest(payload).ok)).toEqual([]);
  };

/** The control protocol of the early official SDK, in both directions. */
export const controlContracts: readonly Contract[] = [
  {
    file: "control_requests_of_the_agent.json",
    from: "agent",
    becomes: [
      { subtype: "can_use_tool", tool_name: "Bash", input: { command: "ls" }, permission_suggestions: [] },
      { subtype: "hook_callback", callback_id: "hook_0", tool_use_id: "toolu_1" },
      { subtype: "mcp_message", server_name: "calc", message: { method: "tools/list" } },
    ].map((request) => ({ type: "control_request", request_id: "req_1", request })),
    holds: understoodBy(readAgentRequest),
  },
  {
    file: "control_requests_of_the_host.json",
    from: "host",
    becomes: [
      { subtype: "initialize", hooks: {} },
      { subtype: "interrupt" },
      { subtype: "set_permission_mode", mode: "acceptEdits" },
      { subtype: "set_model", model: "claude-opus-4-5" },
      { subtype: "set_model", model: null },
      { subtype: "rewind_files", user_message_id: "6f1c" },
    ].map((request) => ({ type: "control_request", request_id: "req_1", request })),
    holds: understoodBy(readHostRequest),
  },
  {
    file: "control_responses.json",
    from: "agent",
    becomes: [
      { subtype: "success", request_id: "req_1", response: { behavior: "allow" } },
      { subtype: "error", request_id: "req_2", error: "no such model" },
    ].map((response) => ({ type: "control_response", response })),
  },
];
