import fc from "fast-check";
import type { JsonObject } from "../../src/json.ts";

type Lines = fc.Arbitrary<JsonObject>;

/** An object with all of `fields` and any of `more`. */
const record = (fields: Record<string, fc.Arbitrary<unknown>>, more: typeof fields = {}): Lines =>
  fc
    .record({ ...fields, ...more }, { requiredKeys: Object.keys(fields) })
    // The generator's objects have no prototype.
    .map((value) => ({ ...value }));

/** The same with unknown fields. */
const open = (fields: Record<string, fc.Arbitrary<unknown>>, more: typeof fields = {}): Lines =>
  fc.tuple(record(fields, more), news).map(([known, unknown]) => ({ ...unknown, ...known }));

const one = fc.constantFrom;
const text = fc.oneof(
  fc.string({ minLength: 1, maxLength: 12 }),
  one("\u2028", "\ud83d\ude00", "null", "0", " "),
);
const name = fc.nat().map((n) => `id-${n}`);
const anything = fc.oneof(text, fc.integer(), fc.boolean(), one(null, [], {}, [{ type: "text" }]));
const news = fc.option(fc.dictionary(one("x_a", "x_b", "x_c"), anything, { maxKeys: 2 }), { nil: {} });
const count = fc.nat(100_000);
const maybeNull = (arbitrary: fc.Arbitrary<unknown>) => fc.option(arbitrary, { nil: null });

const usage = record({ input_tokens: count, output_tokens: count });
const fullUsage = open({
  input_tokens: count,
  output_tokens: count,
  cache_creation_input_tokens: count,
  cache_read_input_tokens: count,
});

const textBlock = open({ type: one("text"), text });
const toolResult = open(
  { type: one("tool_result"), tool_use_id: name },
  { content: fc.oneof(text, fc.array(textBlock, { maxLength: 2 })), is_error: fc.boolean() },
);
const calls = (names: readonly string[], inputs: Lines) =>
  open({ type: one("tool_use"), id: name, name: one(...names), input: inputs });
const officialCall = calls(
  ["Bash", "Read", "mcp__a__b"],
  record({}, { command: text, file_path: text, other: anything }),
);
const miriadCall = calls(
  ["bash", "read", "task", "mcp__a__b"],
  record({}, { command: text, filePath: text, oldString: text }),
);
const blocks = (call: Lines) =>
  fc.array(
    fc.oneof(
      textBlock,
      call,
      open({ type: one("thinking"), thinking: text, signature: text }),
      open({ type: one("x_block") }),
    ),
    { minLength: 1, maxLength: 3 },
  );
const content = fc.oneof(text, fc.array(fc.oneof(textBlock, toolResult), { minLength: 1, maxLength: 3 }));

const trailer = { uuid: name, session_id: name };
const outcome = {
  duration_ms: count,
  duration_api_ms: count,
  num_turns: count,
  stop_reason: maybeNull(one("end_turn", "x_reason")),
  modelUsage: one({}),
  permission_denials: one([]),
  usage: fullUsage,
};
const SUBTYPES = ["error_max_turns", "error_max_budget_usd", "x_result"];

/** Complete lines of the official wire as an agent writes them: canonical lines need no repair. */
export const officialAgentLines = {
  assistant: open({
    type: one("assistant"),
    message: open({
      id: name,
      type: one("message"),
      role: one("assistant"),
      model: text,
      content: blocks(officialCall),
      stop_reason: maybeNull(one("end_turn", "tool_use")),
      stop_sequence: one(null),
      usage: fullUsage,
    }),
    parent_tool_use_id: maybeNull(name),
    ...trailer,
  }),
  user: open({
    type: one("user"),
    message: record({ role: one("user"), content }),
    parent_tool_use_id: maybeNull(name),
    ...trailer,
  }),
  success: open(
    { type: one("result"), subtype: one("success"), is_error: one(false), ...outcome, ...trailer },
    { result: text, total_cost_usd: count, structured_output: anything },
  ),
  failure: open({
    type: one("result"),
    subtype: one(...SUBTYPES),
    is_error: one(true),
    errors: fc.array(text, { minLength: 1, maxLength: 1 }),
    ...outcome,
    ...trailer,
  }),
  status: open({ type: one("system"), subtype: one("status"), status: one("compacting"), ...trailer }),
  unknownSystem: open({ type: one("system"), subtype: one("x_news"), ...trailer }),
  unknown: open({ type: one("x_type") }, { subtype: text, message: anything }),
  request: record({
    type: one("control_request"),
    request_id: name,
    request: open({ subtype: one("can_use_tool", "x_ask"), tool_name: one("Bash"), input: one({}) }),
  }),
};

/** Lines of the official wire, as a host writes them. */
export const officialHostLines = {
  prompt: open(
    { type: one("user"), message: record({ role: one("user"), content }) },
    { session_id: name, uuid: name, parent_tool_use_id: maybeNull(name) },
  ),
  request: record({
    type: one("control_request"),
    request_id: name,
    request: open({ subtype: one("set_model", "initialize", "x_ask") }, { model: text }),
  }),
  success: record({
    type: one("control_response"),
    response: record({ subtype: one("success"), request_id: name }, { response: news }),
  }),
  failure: record({
    type: one("control_response"),
    response: record({ subtype: one("error"), request_id: name, error: text }),
  }),
  cancel: record({ type: one("control_cancel_request"), request_id: name }),
  keepAlive: open({ type: one("keep_alive") }),
  unknown: open({ type: one("x_type") }),
};

const described = record({ name: one("Bash", "Read"), description: text, input_schema: one({}) });

/** Lines of 1.0 and 1.1. */
export const oldAgentLines = {
  init: open(
    {
      type: one("system"),
      subtype: one("init"),
      tools: fc.oneof(
        fc.array(described, { minLength: 1, maxLength: 1 }),
        fc.subarray(["Bash", "Read", "Edit"]),
      ),
    },
    { session_id: name, model: text, cwd: text },
  ),
  assistant: open(
    { type: one("assistant"), message: open({ role: one("assistant"), content: blocks(officialCall) }) },
    { session_id: name },
  ),
  user: open({ type: one("user"), message: record({ role: one("user"), content }) }, { session_id: name }),
  success: open(
    { type: one("result"), subtype: one("success") },
    { session_id: name, cost_usd: count, duration_ms: count, usage },
  ),
  failure: open({ type: one("result"), subtype: one("error"), error: text, is_error: one(true) }),
};

/** Complete miriad turns, whose results count what happened before. */
export const miriadTurns = fc
  .record({
    replies: fc.array(
      fc.oneof(
        record(
          {
            type: one("assistant"),
            message: record({ role: one("assistant"), content: blocks(miriadCall), model: text }),
          },
          trailer,
        ),
        record({ type: one("system"), subtype: one("tool_result"), tool_result: toolResult }),
        open({ type: one("system"), subtype: one("queued"), session_id: name, position: count }),
        open({
          type: one("system"),
          subtype: one("injected"),
          message_count: count,
          content_length: count,
        }),
        open({ type: one("system"), subtype: one("error"), message: text }),
        open({
          type: one("system"),
          subtype: one("consolidation"),
          entries_created: count,
          entries_updated: count,
        }),
      ),
      { maxLength: 6 },
    ),
    ending: fc.oneof(
      record({ subtype: one("success"), is_error: one(false) }, { result: text }),
      record({ subtype: one("error"), is_error: one(true), result: text }),
      record({ subtype: one("cancelled"), is_error: one(true) }),
    ),
    figures: record({ duration_ms: count, session_id: name, usage }),
  })
  .map(({ replies, ending, figures }): JsonObject[] => {
    const callsTool = ({ message }: JsonObject) =>
      JSON.stringify(message ?? {}).includes('"type":"tool_use"');
    const num_turns = replies.filter(callsTool).length;
    return [...replies, { type: "result", ...ending, ...figures, num_turns }];
  });

/** Lines of a miriad host. */
export const miriadHostLines = {
  prompt: open({ type: one("user"), message: record({ role: one("user"), content }) }, { session_id: name }),
  action: record({ type: one("control"), action: one("interrupt", "status") }),
};

const suggestion = record({
  type: one("bash", "read", "mcp__a__b"),
  action: one("allow", "deny", "ask"),
  pattern: one("ls *", "*", "./src/**"),
  scope: one("session", "local", "project", "user"),
});

/** Lines of an agent in the Dart dialect. */
export const dartAgentLines = {
  error: record({ type: one("error"), error: record({ code: name, message: text }) }),
  assistant: open({
    type: one("assistant"),
    ...trailer,
    message: record({ type: one("message"), content: blocks(officialCall) }),
    model: text,
    usage: fullUsage,
  }),
  user: open({
    type: one("user"),
    ...trailer,
    message: record({ type: one("message"), content }),
  }),
  success: open({
    type: one("result"),
    subtype: one("success"),
    session_id: name,
    turn_count: count,
    duration_seconds: count.map((ms) => ms / 1000),
    usage,
  }),
  failure: open({ type: one("result"), subtype: one("error_max_turns"), session_id: name, error: text }),
  request: record({
    type: one("callback.request"),
    request_id: name,
    request: record({
      subtype: one("can_use_tool"),
      tool_name: one("Bash"),
      input: record({ command: text }),
      tool_use_id: name,
      permission_suggestions: fc.array(suggestion, { maxLength: 2 }),
      blocked_path: maybeNull(text),
    }),
  }),
};

/** Answers of a Dart host. */
export const dartAnswers = record({
  type: one("callback.response"),
  response: record({
    subtype: one("success"),
    request_id: one("asked"),
    response: fc.oneof(
      record(
        { behavior: one("allow"), tool_use_id: name },
        {
          updated_input: record({}, { command: text, updated_input: text }),
          updated_permissions: fc.array(suggestion),
        },
      ),
      record({ behavior: one("deny"), message: text, tool_use_id: name }),
    ),
  }),
});
