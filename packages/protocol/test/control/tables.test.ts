import { describe, expect, test } from "vitest";
import { readAgentRequest, readHostRequest, readResponse } from "../../src/control/read.ts";
import type { RequestTable } from "../../src/control/request-table.ts";
import { agentRequest, agentRequests, hostRequest, hostRequests } from "../../src/control/tables.ts";
import { agentSamples, hostSamples } from "./samples.ts";

/** The request union of the official TypeScript SDK 0.3.325. */
const OFFICIAL =
  `interrupt can_use_tool initialize set_permission_mode set_model set_max_thinking_tokens rename_session
  set_color mcp_status get_context_usage get_session_cost list_models get_usage get_binary_version mcp_call
  file_suggestions hook_callback mcp_message rewind_files cancel_async_message read_file seed_read_state mcp_set_servers
  register_repo_root reload_plugins reload_skills reload_output_styles mcp_reconnect mcp_toggle set_has_subscribers
  stop_task background_tasks get_task_output apply_flag_settings get_settings get_hooks_listing update_settings
  elicitation request_user_dialog list_permission_rules mcp_read_resource`.split(/\s+/);

/** Requests that the official agent also answers, although its union does not list them. */
const UNLISTED =
  `claim_session end_session set_mcp_permission_mode_override side_question generate_session_title
  export_conversation get_plan get_status set_cwd message_rated mcp_authenticate mcp_clear_auth`.split(/\s+/);

const sides: [
  string,
  RequestTable,
  typeof hostRequest | typeof agentRequest,
  typeof hostSamples | typeof agentSamples,
][] = [
  ["host", hostRequests, hostRequest, hostSamples],
  ["agent", agentRequests, agentRequest, agentSamples],
];

/** Our additions: requests that the official wire does not have. */
const OURS =
  `session_status read_text_file write_text_file create_terminal terminal_output wait_for_terminal_exit
  kill_terminal release_terminal`.split(/\s+/);

test("the tables contain the official 41 requests, those missing from the official union, and our own", () => {
  const names = new Set([...Object.keys(hostRequests), ...Object.keys(agentRequests)]);
  expect(OFFICIAL).toHaveLength(41);
  expect([...names].sort(), "add a new request to OFFICIAL, UNLISTED or OURS above").toEqual(
    [...OFFICIAL, ...UNLISTED, ...OURS].sort(),
  );
});

describe.each(sides)("every request of a %s", (side, table, schema, samples) => {
  const read = side === "host" ? readHostRequest : readAgentRequest;
  const rows = Object.entries(samples).map(([subtype, sample]) => ({ subtype, ...sample }));

  test.each(rows)("$subtype is read from its required fields, and refused if one is broken", (row) => {
    expect(table[row.subtype]?.request.accepts(row.minimal)).toBe(true);
    expect(schema.accepts(row.minimal)).toBe(true);
    expect(read(row.minimal)).toEqual({ ok: true, request: row.minimal });
    expect(table[row.subtype]?.request.accepts(row.broken)).toBe(false);
    expect(read(row.broken)).toMatchObject({ ok: false });
  });

  test("has a sample", () => {
    expect(Object.keys(table).sort(), "add a sample of a new request to samples.ts").toEqual(
      Object.keys(samples).sort(),
    );
  });

  test("has a description of its own", () => {
    const sentences = Object.values(table).map(({ request }) => request.doc().about);
    expect(new Set(sentences).size).toBe(sentences.length);
    for (const sentence of sentences) expect(sentence).toMatch(/^[A-Z].*\.$/);
    for (const { request } of Object.values(table)) expect(request.doc().mark).toMatch(/^[ERX]$/);
  });
});

describe("an empty answer", () => {
  /** The requests that are pointless if the answer says nothing. */
  const pointless = new Set([
    "claim_session",
    "set_cwd",
    "get_usage",
    "list_permission_rules",
    "get_binary_version",
    "read_file",
    "elicitation",
    "request_user_dialog",
    "read_text_file",
    "create_terminal",
    "terminal_output",
  ]);
  const shapes = Object.entries({ ...agentRequests, ...hostRequests }).filter(
    ([name]) => name !== "mcp_message",
  );

  test.each(shapes)("to %s is readable unless the payload is the point of the request", (subtype, shape) => {
    expect(
      readResponse(shape).ok,
      "give each field of the answer a neutral value (defaulted, optional), or add the request to `pointless` above",
    ).toBe(!pointless.has(subtype));
  });

  test("to initialize is read as from an agent that offers nothing", () => {
    expect(readResponse(hostRequests.initialize)).toEqual({
      ok: true,
      response: {
        commands: [],
        agents: [],
        models: [],
        account: {},
        output_style: "default",
        available_output_styles: [],
      },
    });
  });

  test("to can_use_tool is read as a deny", () => {
    expect(readResponse(agentRequests.can_use_tool)).toMatchObject({ response: { behavior: "deny" } });
  });
});

test("an unreadable answer is reported with the field that is wrong", () => {
  expect(readResponse(agentRequests.elicitation, { action: "perhaps" })).toEqual({
    ok: false,
    reason: `the answer can't be read: action should be "accept" | "decline" | "cancel"`,
  });
});
