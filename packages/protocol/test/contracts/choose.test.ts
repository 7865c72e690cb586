import { describe, expect, test } from "vitest";
import { parseVersion } from "../../src/compatibility/version.ts";
import {
  DIALECTS,
  dialectByName,
  dialectForVersion,
  dialectFromFlags,
  dialectOfAgentLine,
  dialectOfHostLine,
} from "../../src/dialect/choose.ts";
import type { JsonObject } from "../../src/json.ts";
import type { Table } from "./contract.ts";
import { fixtureFiles, readFixture, readTalk } from "./fixtures.ts";
import { written } from "./hearing.ts";
import { call, init, reply, result } from "./official.ts";
import { TABLES } from "./tables.ts";

describe("choosing a dialect by name", () => {
  test.each(Object.keys(DIALECTS))("%s selects its dialect", (name) => {
    expect(dialectByName(name)?.name).toBe(name);
  });

  test.each(["", "Claude", "official", "toString", "__proto__", "constructor"])("%j selects none", (name) => {
    expect(dialectByName(name)).toBeUndefined();
  });
});

test.each([
  ["claude", "pass_on"],
  ["claude-v1", "log_and_skip"],
  ["miriad", "log_and_skip"],
  ["jsonrpc", "pass_on"],
  ["dart", "log_and_skip"],
  ["acp", "pass_on"],
])("%s handles unknown messages by %s", (name, handling) => {
  expect(dialectByName(name)?.unknown).toBe(handling);
});

describe("choosing a dialect by version", () => {
  test.each([
    ["0.2.126", "claude", false],
    ["1.0.0-beta.1", "claude", false],
    ["1.0.0", "claude-v1", true],
    ["1.0.22", "claude-v1", true],
    ["1.0.128", "claude-v1", true],
    ["1.1.0", "claude-v1", true],
    ["1.1.99", "claude-v1", true],
    ["1.1.100", "claude-v1", true],
    ["1.2.0", "claude", false],
    ["2.0.0-rc.1", "claude", false],
    ["2.0.0", "claude", true],
    ["2.0.77", "claude", true],
    ["2.1.0", "claude", true],
    ["2.1.325", "claude", true],
    ["2.1.99999", "claude", true],
    ["2.2.0-alpha", "claude", false],
    ["2.2.0", "claude", false],
    ["3.0.0", "claude", false],
  ])("%s selects %s, tested: %s", (version, name, tested) => {
    const chosen = dialectForVersion(parseVersion(version));
    expect([chosen.dialect.name, chosen.tested]).toEqual([name, tested]);
  });

  test.each(["claude v1.0.22 (anthropic-2024-12-01)", "1.0.22 (Claude Code)"])(
    "%s is parsed from its line",
    (line) => {
      expect(dialectForVersion(parseVersion(line)).dialect.name).toBe("claude-v1");
    },
  );

  test("an unknown version selects the newest dialect, untested", () => {
    const { dialect, tested } = dialectForVersion(undefined);
    expect([dialect.name, tested]).toEqual(["claude", false]);
  });
});

describe("choosing a dialect by flags", () => {
  test.each([
    [["--stdio", "--db", "./agent.db"], "miriad"],
    [["--output-format", "stream-json", "--permission-prompt-tool", "stdio", "--cwd", "/p"], "dart"],
    [["--cwd=/p"], "dart"],
    [["--output-format", "stream-json", "--permission-prompt-tool", "stdio"], undefined],
    [["-p", "--include-partial-messages", "--verbose"], undefined],
    [["--cwdx", "--stdio-log"], undefined],
    [[], undefined],
  ])("%j", (flags, name) => {
    expect(dialectFromFlags(flags)?.name).toBe(name);
  });
});

/** Every line of a table, with its writer. */
function linesOf({ folder, contracts, talks }: Table) {
  return [
    ...contracts.flatMap(({ file, from, inside = (part: JsonObject) => part }) =>
      readFixture(folder, file).map((part) => ({ file, from, line: inside(part) })),
    ),
    ...talks.flatMap(({ file }) => readTalk(folder, file).map((line) => ({ file, ...line }))),
  ];
}

const told = (from: "host" | "agent", line: JsonObject) =>
  (from === "agent" ? dialectOfAgentLine(line) : dialectOfHostLine(line))?.name;

/** Fixtures that identify their dialect, listed one by one; all others are lines that several dialects share. */
const TELLING: Readonly<Record<string, readonly string[]>> = {
  claude_code_v1_0_x: ["real_1_0_22_system_init.json", "system_init.json", "system_init_unknown_fields.json"],
  claude_code_v1_1_x: ["system_init.json"],
  claude_code_v2_0_x: [
    "control_requests_of_the_host.json",
    "control_responses.json",
    "real_interrupt_response.json",
    "real_set_permission_mode_answered_twice.json",
    "text_block.json",
    "thinking_block.json",
    "tool_use_block.json",
  ],
  claude_code_v2_1_x: ["assistant_message.json", "system_init.json", "user_prompt.json"],
  miriad: [
    "control_interrupt.json",
    "control_status.json",
    "example_session.jsonl",
    "system_consolidation.json",
    "system_error.json",
    "system_injected.json",
    "system_interrupted.json",
    "system_queued.json",
    "system_tool_result.json",
    "tool_result_block.json",
  ],
  jsonrpc: fixtureFiles("jsonrpc"),
  dart: [
    "assistant_message.json",
    "callback_request.json",
    "callback_response_allow.json",
    "callback_response_deny.json",
    "control_request_initialize.json",
    "control_response.json",
    "error.json",
    "follow_up.jsonl",
    "permission_request.jsonl",
    "session_create.json",
    "session_create_image.json",
    "session_created.json",
    "session_initialization.jsonl",
    "session_send.json",
    "system_init.json",
  ],
};

/** Spelled the same since 1.0.128; only the version can tell. */
const OFFICIAL_ANSWER = "real_1_0_128_interrupt_response.json";

describe.each(TABLES)("choosing a dialect by a line of $folder", (table) => {
  const lines = linesOf(table).filter(({ file }) => file !== OFFICIAL_ANSWER);

  test("never mistakes a line for another dialect", () => {
    const wrong = lines.filter(
      ({ from, line }) => ![undefined, table.dialect.name].includes(told(from, line)),
    );
    expect(wrong.map(({ file }) => file)).toEqual([]);
  });

  test("recognizes exactly the listed lines", () => {
    const telling = lines.filter(({ from, line }) => told(from, line) !== undefined);
    expect([...new Set(telling.map(({ file }) => file))].toSorted()).toEqual(TELLING[table.folder]);
  });
});

describe.each([DIALECTS.miriad, DIALECTS.jsonrpc, DIALECTS.dart])(
  "choosing a dialect by what our agent writes in $name",
  (dialect) => {
    const definitions = [{ name: "Bash", description: "Runs a command", input_schema: { type: "object" } }];
    const subagent = { uuid: "u1", session_id: "s1", parent_tool_use_id: "toolu_1" };

    test.each([
      ["an init", init({ uuid: "u1", session_id: "s1" })],
      ["an init with its tools", init({ uuid: "u1", tools: ["Bash"], tool_definitions: definitions })],
      ["a reply", reply("msg_1", call("toolu_1", "Bash", {}), { uuid: "u1", session_id: "s1" })],
      ["a subagent's reply", reply("msg_1", call("toolu_2", "Bash", {}), subagent)],
      ["a failed turn", result({ subtype: "error_max_turns", is_error: true, errors: ["enough"] })],
    ])("never mistakes %s for another dialect", (_name, message) => {
      const names = written(dialect.forAgent(), message).map((line) => dialectOfAgentLine(line)?.name);
      expect(names.filter((name) => name !== undefined && name !== dialect.name)).toEqual([]);
    });
  },
);

test.each([
  [{ type: "control_request", request: { subtype: "initialize" } }, undefined],
  [{ type: "control_request", request: { subtype: "initialize", hooks: {}, agents: {} } }, undefined],
  [{ type: "control_request", request: { subtype: "initialize", systemPrompt: [""] } }, "claude"],
  [{ type: "control_request", request: { subtype: "initialize", mcp_servers: {} } }, "dart"],
  [{ type: "control_request", request: { subtype: "initialize", system_prompt: "" } }, "dart"],
  [{ type: "user", uuid: "u1", message: {} }, "claude"],
  [{ jsonrpc: "2.0", type: "control" }, "jsonrpc"],
  [{ jsonrpc: "2.0", id: 0, method: "initialize", params: { protocolVersion: 1 } }, "acp"],
  [{ jsonrpc: "2.0", id: 1, method: "session/new", params: {} }, "acp"],
  [{ jsonrpc: "2.0", id: 1, method: "run", params: {} }, "jsonrpc"],
  [{ type: "keep_alive" }, undefined],
  [{}, undefined],
])("the host line %j selects %s", (line, name) => {
  expect(dialectOfHostLine(line)?.name).toBe(name);
});

test.each([
  [{ type: "control_response" }, undefined],
  [{ type: "control_response", response: null }, undefined],
  [{ type: "control_response", request_id: "r1", response: {} }, "dart"],
  [{ type: "control_response", response: { request_id: "r1" } }, "claude"],
  [{ type: "system", subtype: "init" }, undefined],
  [{ type: "system", subtype: "init", tools: [{ name: "Bash" }], model: "m" }, "claude-v1"],
  [{ type: "system", subtype: "init", tools: [{ name: "Bash", input_schema: {} }] }, "claude-v1"],
  [{ type: "system", subtype: "init", tools: [{ name: "Bash" }] }, "dart"],
  [{ type: "system", subtype: "init", tools: ["Bash"] }, "claude-v1"],
  [{ type: "system", subtype: "init", tools: ["Bash"], claude_code_version: "2.1.325" }, "claude"],
  [{ type: "system", subtype: "init", tools: ["Bash"], uuid: "u1" }, "claude"],
  [{ type: "system", subtype: "status", status: "requesting" }, undefined],
  [{ type: "telemetry" }, undefined],
  [{}, undefined],
])("the agent line %j selects %s", (line, name) => {
  expect(dialectOfAgentLine(line)?.name).toBe(name);
});
