import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { NO_USAGE } from "../../src/content/usage.ts";
import { acp } from "../../src/dialect/choose.ts";
import type { JsonObject } from "../../src/json.ts";
import type { AgentMessage, HostMessage } from "../../src/message.ts";
import { call, init, prompt, reply, result, text } from "../contracts/official.ts";
import { SchemaCheck } from "./acp-schema.ts";
import { AcpWire } from "./acp-wire.ts";

const SESSION = { uuid: "", session_id: "s1" };
const event = (event: JsonObject) =>
  ({ type: "stream_event", event, parent_tool_use_id: null, ...SESSION }) as unknown as AgentMessage;
const toolResult = (
  tool_use_id: string,
  content: string,
  isError = false,
  outcome?: unknown,
): AgentMessage => ({
  type: "user",
  message: {
    role: "user",
    content: [{ type: "tool_result", tool_use_id, content, ...(isError && { is_error: true }) }],
  },
  parent_tool_use_id: null,
  ...(outcome !== undefined && { tool_use_result: outcome }),
  ...SESSION,
});

/** A part of a reply, and the messages by which an agent sends it. */
interface Part {
  readonly messages: readonly AgentMessage[];
  /** What a host must receive of it. */
  readonly kept: JsonObject;
}

const words = fc.string({ minLength: 1, maxLength: 20 });
const id = fc.nat(1_000_000).map((n) => `id-${n}`);

const streamedText: fc.Arbitrary<Part> = fc
  .tuple(id, fc.array(words, { minLength: 1, maxLength: 4 }))
  .map(([name, pieces]) => ({
    messages: [
      event({
        type: "message_start",
        message: {
          id: name,
          content: [],
          type: "message",
          role: "assistant",
          model: "m",
          stop_reason: null,
          stop_sequence: null,
          usage: NO_USAGE,
        },
      }),
      event({ type: "content_block_start", index: 0, content_block: { type: "text", text: "" } }),
      ...pieces.map((piece) =>
        event({ type: "content_block_delta", index: 0, delta: { type: "text_delta", text: piece } }),
      ),
      reply(name, text(pieces.join("")), SESSION),
      event({ type: "content_block_stop", index: 0 }),
      event({ type: "message_stop" }),
    ],
    kept: { said: pieces.join(""), deltas: pieces.join("") },
  }));
const wholeText: fc.Arbitrary<Part> = fc
  .tuple(id, words)
  .map(([name, said]) => ({ messages: [reply(name, text(said), SESSION)], kept: { said, deltas: said } }));
const thought: fc.Arbitrary<Part> = fc.tuple(id, words).map(([name, thinking]) => ({
  messages: [reply(name, { type: "thinking", thinking, signature: "" }, SESSION)],
  kept: { thinking },
}));
const TOOLS: readonly (readonly [string, JsonObject])[] = [
  ["Bash", { command: "ls -l", description: "Lists" }],
  ["Read", { file_path: "/project/a.ts", offset: 3 }],
  ["Edit", { file_path: "/project/a.ts", old_string: "a", new_string: "b" }],
  ["Write", { file_path: "/project/new.ts", content: "x" }],
  ["NotebookEdit", { notebook_path: "/project/n.ipynb", new_source: "1" }],
  ["Glob", { pattern: "**/*.ts" }],
  ["Grep", { pattern: "x", path: "/project" }],
  ["WebFetch", { url: "https://example.com/", prompt: "What?" }],
  ["WebSearch", { query: "agents" }],
  ["Task", { description: "Look", prompt: "Look around", subagent_type: "explore" }],
  ["ExitPlanMode", { plan: "1. Do it" }],
  ["BashOutput", { bash_id: "b1" }],
  ["mcp__server__tool", { anything: [1, { deep: true }] }],
];
const tool: fc.Arbitrary<Part> = fc
  .tuple(id, id, fc.constantFrom(...TOOLS), words, fc.boolean())
  .map(([message, toolId, [name, input], output, isError]) => ({
    messages: [reply(message, call(toolId, name, input), SESSION), toolResult(toolId, output, isError)],
    kept: { id: toolId, name, input, output, isError },
  }));
const plan: fc.Arbitrary<Part> = fc
  .tuple(
    id,
    id,
    fc.array(fc.record({ content: words, status: fc.constantFrom("pending", "in_progress", "completed") })),
  )
  .map(([message, toolId, todos]) => ({
    messages: [reply(message, call(toolId, "TodoWrite", { todos }), SESSION), toolResult(toolId, "Noted")],
    kept: { todos },
  }));
const conversation = fc.array(fc.oneof(streamedText, wholeText, thought, tool, plan), { maxLength: 6 });

/** What a host has received of a conversation, in the form of `Part.kept`. */
function heard(messages: readonly AgentMessage[]): JsonObject[] {
  const parts: JsonObject[] = [];
  let deltas = "";
  for (const message of messages) {
    if (message.type === "stream_event" && message.event.type === "content_block_delta") {
      const { delta } = message.event;
      if (delta.type === "text_delta") deltas += delta.text;
    }
    if (message.type === "assistant")
      for (const block of message.message.content) {
        if (block.type === "text") {
          parts.push({ said: block.text, deltas });
          deltas = "";
        } else if (block.type === "thinking") parts.push({ thinking: block.thinking });
        else if (block.type === "tool_use" && block.name === "TodoWrite")
          parts.push({ todos: block.input.todos });
        else if (block.type === "tool_use")
          parts.push({ id: block.id, name: block.name, input: block.input });
      }
    if (message.type === "user" && typeof message.message.content !== "string")
      for (const block of message.message.content)
        if (block.type === "tool_result") {
          const open = parts.find((part) => part.id === block.tool_use_id && !("output" in part));
          if (open) Object.assign(open, { output: block.content, isError: block.is_error ?? false });
        }
  }
  return parts;
}

/** Consecutive texts of one kind are merged, because nothing marks where the first ends. */
function joined(parts: readonly JsonObject[]): JsonObject[] {
  return parts.reduce<JsonObject[]>((all, part) => {
    const last = all.at(-1);
    const merge = (name: string) =>
      last && name in last && name in part
        ? Object.assign(last, {
            [name]: `${last[name]}${part[name]}`,
            ...("deltas" in part && { deltas: `${last.deltas}${part.deltas}` }),
          })
        : undefined;
    if (!merge("said") && !merge("thinking")) all.push({ ...part });
    return all;
  }, []);
}

describe.each([
  ["two programs of ours", false],
  ["strangers", true],
])("between %s", (_name, strangers) => {
  test("a conversation keeps its texts, thoughts, plans and tool calls, and every line fits the schema", () => {
    fc.assert(
      fc.property(conversation, (parts) => {
        // Ids are unique within a session.
        const ids = parts.map(({ kept }) => kept.id).filter((one) => one !== undefined);
        fc.pre(new Set(ids).size === ids.length);
        const wire = new AcpWire({ strangers });
        wire.open();
        wire.hostSays(prompt("Begin", { uuid: "p1" }));
        wire.agentSays(init({ ...SESSION, model: "m1" }));
        for (const { messages } of parts) for (const message of messages) wire.agentSays(message);
        wire.agentSays(
          result({
            ...SESSION,
            total_cost_usd: 0.5,
            modelUsage: { m1: { ...COUNTS, contextWindow: 200_000 } },
          }),
        );
        expect(wire.faults).toEqual([]);
        expect(joined(heard(wire.atHost))).toEqual(joined(parts.map(({ kept }) => withTodos(kept))));
        expect(wire.atHost.at(-1)).toMatchObject({
          type: "result",
          subtype: "success",
          user_message_uuids: ["p1"],
          total_cost_usd: 0.5,
          modelUsage: { m1: { contextWindow: 200_000 } },
        });
      }),
      { numRuns: 300 },
    );
  });

  test.each([
    [
      { subtype: "success", stop_reason: "end_turn" },
      { subtype: "success", is_error: false, stop_reason: "end_turn" },
    ],
    [
      { subtype: "success", stop_reason: "max_tokens" },
      { subtype: "success", stop_reason: "max_tokens" },
    ],
    [
      { subtype: "success", stop_reason: "refusal" },
      { subtype: "success", stop_reason: "refusal" },
    ],
    [
      { subtype: "error_max_turns", is_error: true, errors: ["Enough"] },
      { subtype: "error_max_turns", is_error: true },
    ],
    [
      { subtype: "error_during_execution", is_error: true, errors: ["No network"] },
      { subtype: "error_during_execution", is_error: true, errors: ["No network"] },
    ],
    [
      { subtype: "error_during_execution", is_error: true, terminal_reason: "aborted_tools", errors: ["x"] },
      { subtype: "error_during_execution", is_error: true, terminal_reason: "aborted_streaming" },
    ],
  ])("a turn that ends with %j is reported as %j", (said, heardAs) => {
    const wire = new AcpWire({ strangers });
    wire.open();
    wire.hostSays(prompt("Begin"));
    wire.agentSays(result({ ...SESSION, ...said }));
    expect(wire.faults).toEqual([]);
    expect(wire.atHost.at(-1)).toMatchObject({ type: "result", ...heardAs });
  });

  test("a permission question keeps its tool, input and call, and its answer is returned", () => {
    const suggestions = [
      {
        type: "addRules",
        rules: [{ toolName: "Bash", ruleContent: "ls:*" }],
        behavior: "allow",
        destination: "session",
      },
    ];
    const input = { command: "ls", description: "Lists" };
    const question = {
      subtype: "can_use_tool",
      tool_name: "Bash",
      input,
      tool_use_id: "t1",
      permission_suggestions: suggestions,
    };
    for (const [answer, expected] of [
      [{ behavior: "allow", updatedInput: input }, { behavior: "allow" }],
      [
        { behavior: "allow", updatedPermissions: suggestions },
        { behavior: "allow", updatedPermissions: suggestions },
      ],
      [
        { behavior: "deny", message: "no" },
        { behavior: "deny", message: strangers ? "The user rejected this call." : "no" },
      ],
      [
        { behavior: "deny", message: "no", interrupt: true },
        { behavior: "deny", interrupt: true },
      ],
      [{}, { behavior: "deny" }],
    ] as const) {
      const wire = new AcpWire({ strangers });
      wire.open();
      wire.hostSays(prompt("Begin"));
      wire.agentSays(reply("m", call("t1", "Bash", input), SESSION));
      wire.agentSays({ type: "control_request", request_id: "q", request: question });
      const asked = wire.atHost.at(-1);
      expect(asked).toMatchObject({
        type: "control_request",
        request: { tool_name: "Bash", input, tool_use_id: "t1" },
      });
      if (asked?.type !== "control_request") throw new Error("no question");
      wire.hostSays({
        type: "control_response",
        response: { subtype: "success", request_id: asked.request_id, response: answer },
      });
      expect(wire.atAgent.at(-1)).toMatchObject({
        type: "control_response",
        response: { request_id: "q", response: expected },
      });
      expect(wire.faults).toEqual([]);
      // The call is reported before the question about it, and only once.
      expect(heard(wire.atHost)).toEqual([{ id: "t1", name: "Bash", input }]);
    }
  });
});

const COUNTS = {
  inputTokens: 0,
  outputTokens: 0,
  cacheReadInputTokens: 0,
  cacheCreationInputTokens: 0,
  webSearchRequests: 0,
};

/** A plan as the host receives it: completed entries are part of the plan. */
function withTodos(kept: JsonObject): JsonObject {
  if (!Array.isArray(kept.todos)) return kept;
  return { todos: kept.todos.map((todo) => ({ ...todo, activeForm: todo.content, priority: "medium" })) };
}

test("prompts keep texts, pictures and documents", () => {
  const wire = new AcpWire({ strangers: true });
  wire.open();
  const picture = {
    type: "image",
    source: { type: "base64", media_type: "image/png", data: "AAAA" },
  } as const;
  const document = {
    type: "document",
    source: { type: "text", media_type: "text/plain", data: "All of it" },
    title: "file:///a.txt",
  } as const;
  wire.hostSays(prompt([text("Look"), picture, document]));
  expect(wire.atAgent.at(-1)).toMatchObject({
    type: "user",
    message: { content: [text("Look"), picture, document] },
  });
  expect(wire.faults).toEqual([]);
});

test("a cancel answers the open question and ends the turn, and the next prompt starts", () => {
  const wire = new AcpWire({ strangers: true });
  wire.open();
  wire.hostSays(prompt("One"));
  wire.hostSays(prompt("Two", { uuid: "two" }));
  wire.agentSays({
    type: "control_request",
    request_id: "q",
    request: { subtype: "can_use_tool", tool_name: "Bash", input: { command: "x" }, tool_use_id: "t" },
  });
  wire.hostSays({ type: "control_request", request_id: "i", request: { subtype: "interrupt" } });
  expect(wire.atHost.at(-1)).toMatchObject({ type: "control_cancel_request" });
  expect(wire.atHost.at(-2)).toMatchObject({
    response: { request_id: "i", response: { still_queued: ["two"] } },
  });
  wire.agentAnswers(({ subtype }) => (subtype === "interrupt" ? {} : "?"));
  wire.agentSays(
    result({
      ...SESSION,
      is_error: true,
      subtype: "error_during_execution",
      terminal_reason: "aborted_tools",
    }),
  );
  expect(wire.atAgent.at(-1)).toMatchObject({ type: "user", message: { content: "Two" } });
  expect(wire.faults).toEqual([]);
});

test("modes and models are set by the request that the agent supports, and unknown ones are refused by name", () => {
  const wire = new AcpWire({ strangers: true });
  wire.hostSays({
    type: "control_request",
    request_id: "open",
    request: { subtype: "initialize", session: { cwd: "/p" } },
  });
  const models = [
    { value: "m1", displayName: "One", description: "" },
    { value: "m2", displayName: "Two", description: "" },
  ];
  wire.agentAnswers(({ subtype }) =>
    subtype === "session_status"
      ? { session_id: "s1", init: { permissionMode: "default", model: "m1" } }
      : { models },
  );
  expect(wire.atHost.at(-1)).toMatchObject({ response: { response: { current_model: "m1", models } } });
  const ask = (request: JsonObject) => {
    wire.hostSays({ type: "control_request", request_id: "r", request });
    wire.agentAnswers(() => ({}));
    return wire.atHost.at(-1);
  };
  expect(ask({ subtype: "set_permission_mode", mode: "plan" })).toMatchObject({
    response: { subtype: "success" },
  });
  expect(ask({ subtype: "set_model", model: "m2" })).toMatchObject({ response: { subtype: "success" } });
  expect(ask({ subtype: "set_model", model: "m9" })).toMatchObject({
    response: { subtype: "error", error: "the agent has no model m9; it has m1, m2" },
  });
  expect(wire.faults).toEqual([]);
});

test("history that an agent sends after it has answered that a session is loaded is not treated as new", () => {
  const host = acp.forHost();
  const [heard, sent]: [AgentMessage[], JsonObject[]] = [[], []];
  const sink = {
    message: (message: AgentMessage) => heard.push(message),
    repaired: () => {},
    malformed: () => {},
    reply: (value: unknown) => sent.push(value as JsonObject),
  };
  const says = (line: JsonObject) => host.decode({ jsonrpc: "2.0", ...line }, sink as never);
  const told = (words: string) =>
    says({
      method: "session/update",
      params: {
        sessionId: "s1",
        update: { sessionUpdate: "agent_message_chunk", content: { type: "text", text: words } },
      },
    });
  const request = { subtype: "initialize", session: { cwd: "/p", resume: "s1" } };
  host.encode({ type: "control_request", request_id: "open", request }, sink as never);
  host.encode(prompt("And now?"), sink as never);
  says({ id: 1, result: { protocolVersion: 1, agentCapabilities: { loadSession: true } } });
  told("early");
  says({ id: 2, result: {} });
  told("late");
  expect(sent.map(({ method }) => method)).toEqual(["initialize", "session/load", "_agentwire/settled"]);
  says({ id: 3, error: { code: -32601, message: "Method not found" } });
  expect(sent.at(-1)).toMatchObject({ method: "session/prompt" });
  told("new");
  says({ id: 4, result: { stopReason: "end_turn" } });
  expect(heard.flatMap((message) => (message.type === "assistant" ? message.message.content : []))).toEqual([
    text("new"),
  ]);
});

const NAME = { type: "object", properties: { name: { type: "string" } } };
const SURE = { type: "object", properties: { sure: { type: "boolean" } } };
const PAGE = { mode: "url", url: "https://example.com/in", elicitation_id: "e1" };
const first = { outcome: { outcome: "selected", optionId: "o1" } };
test.each([
  [
    "a form, where the client has forms",
    { form: {} },
    { requested_schema: NAME },
    { action: "accept", content: { name: "Ada" } },
    "elicitation/create",
    { action: "accept", content: { name: "Ada" } },
  ],
  [
    "a page, where it opens pages",
    { url: {} },
    PAGE,
    { action: "accept" },
    "elicitation/create",
    { action: "accept" },
  ],
  [
    "a page, where it does not",
    { form: {} },
    PAGE,
    first,
    "session/request_permission",
    { action: "accept" },
  ],
  [
    "a choice, where it has no forms",
    undefined,
    { requested_schema: SURE },
    first,
    "session/request_permission",
    { action: "accept", content: { sure: true } },
  ],
  [
    "a choice that is not made",
    undefined,
    { requested_schema: SURE },
    { outcome: { outcome: "cancelled" } },
    "session/request_permission",
    { action: "cancel" },
  ],
  ["a text, where it has no forms", undefined, { requested_schema: NAME }, {}, undefined, undefined],
])(
  "an elicitation is shown to a foreign client as it supports it: %s",
  (_name, elicitation, more, result, method, answer) => {
    const agent = acp.forAgent();
    const [heard, check] = [[] as HostMessage[], new SchemaCheck()];
    const sink = {
      message: (message: HostMessage) => heard.push(message),
      repaired: () => {},
      malformed: () => {},
      reply: () => {},
    };
    const hears = (line: JsonObject) => agent.decode({ jsonrpc: "2.0", ...line }, sink as never);
    const clientCapabilities = elicitation ? { elicitation } : {};
    hears({ id: 1, method: "initialize", params: { protocolVersion: 1, clientCapabilities } });
    const request = { subtype: "elicitation", mcp_server_name: "docs", message: "Please", ...more };
    const [line] = agent.encode(
      { type: "control_request", request_id: "q", request },
      sink as never,
    ) as JsonObject[];
    expect(line?.method).toBe(method);
    if (line) {
      check.line("agent", line);
      hears({ id: line.id, result });
    }
    expect(check.faults).toEqual([]);
    expect(heard.at(-1)).toMatchObject({
      type: "control_response",
      response: answer ? { subtype: "success", response: answer } : { subtype: "error" },
    });
  },
);

test.each([
  [
    "a form, where the client has forms",
    { elicitation: { form: {} } },
    { action: "accept", content: { q1: "SQLite" } },
    "elicitation/create",
  ],
  [
    "the options of a permission, where it has none",
    {},
    { outcome: { outcome: "selected", optionId: "o2" } },
    "session/request_permission",
  ],
])("a question to the user is asked by %s", (_name, clientCapabilities, result, method) => {
  const agent = acp.forAgent();
  const [heard, check] = [[] as HostMessage[], new SchemaCheck()];
  const sink = {
    message: (message: HostMessage) => heard.push(message),
    repaired: () => {},
    malformed: () => {},
    reply: () => {},
  };
  const hears = (line: JsonObject) => agent.decode({ jsonrpc: "2.0", ...line }, sink as never);
  hears({ id: 1, method: "initialize", params: { protocolVersion: 1, clientCapabilities } });
  const options = [
    { label: "PostgreSQL", description: "A server" },
    { label: "SQLite", description: "A file" },
  ];
  const input = {
    questions: [{ question: "Which database?", header: "Database", options, multiSelect: false }],
  };
  const request = { subtype: "can_use_tool", tool_name: "AskUserQuestion", input, tool_use_id: "t1" };
  const [line] = agent.encode(
    { type: "control_request", request_id: "q", request },
    sink as never,
  ) as JsonObject[];
  expect(line).toMatchObject({ method });
  check.line("agent", JSON.parse(JSON.stringify(line)));
  hears({ id: line?.id, result });
  expect(heard.at(-1)).toMatchObject({
    response: {
      request_id: "q",
      response: { behavior: "allow", updatedInput: { answers: { "Which database?": "SQLite" } } },
    },
  });
  expect(check.faults).toEqual([]);
});
