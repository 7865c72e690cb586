import { createInterface } from "node:readline";

/** The requests that the agent answers with data; it acknowledges all others. */
const ANSWERS = {
  initialize: {
    commands: [{ name: "help", description: "Helps", argumentHint: "" }],
    agents: [{ name: "general", description: "Does anything" }],
    output_style: "default",
    available_output_styles: ["default"],
    models: [{ value: "m", displayName: "M", description: "A model" }],
    account: { email: "somebody@example.com" },
    hook_on_failure_supported: true,
    hooks_applied: true,
  },
  interrupt: { still_queued: ["one"] },
  mcp_status: { mcpServers: [{ name: "s", status: "connected" }] },
  mcp_set_servers: { added: ["a"], removed: [], errors: {} },
  rewind_files: { canRewind: true, filesChanged: ["f"], insertions: 1, deletions: 0 },
  read_file: { contents: "text", absPath: "/f" },
  background_tasks: { backgrounded: false },
  reload_skills: { skills: [] },
  reload_output_styles: { available_output_styles: ["default"] },
  reload_plugins: { commands: [], agents: [], plugins: [], mcpServers: [], error_count: 0 },
  mcp_read_resource: { contents: [] },
  set_mcp_permission_mode_override: { warning: "unknown server" },
  get_usage: {
    session: {
      total_cost_usd: 0,
      total_api_duration_ms: 0,
      total_duration_ms: 0,
      total_lines_added: 0,
      total_lines_removed: 0,
      model_usage: {},
    },
    subscription_type: null,
    rate_limits_available: false,
    rate_limits: null,
    behaviors: null,
  },
};

const RESULT = {
  type: "result",
  subtype: "success",
  is_error: false,
  duration_ms: 1,
  duration_api_ms: 1,
  num_turns: 1,
  result: "ok",
  stop_reason: "end_turn",
  total_cost_usd: 0,
  usage: { input_tokens: 1, output_tokens: 1, cache_creation_input_tokens: 0, cache_read_input_tokens: 0 },
  modelUsage: {},
  permission_denials: [],
  session_id: "s",
  uuid: "00000000-0000-4000-8000-000000000000",
};

/**
 * Plays an agent until its input ends, and records how it was started and what it received. On a prompt that is JSON with `asks`, it
 * sends these control requests one after the other before the result.
 */
export async function playAgent({ argv, env, input, output, record }) {
  record("argv", argv);
  record("env", env);
  const say = (message) => output.write(`${JSON.stringify(message)}\n`);
  const waiting = new Map();
  const turn = async (text) => {
    for (const [index, request] of asksIn(text).entries()) {
      const request_id = `ask_${index}`;
      const answered = new Promise((resolve) => waiting.set(request_id, resolve));
      say({ type: "control_request", request_id, request });
      await answered;
    }
    say(RESULT);
  };
  let turns = Promise.resolve();
  for await (const line of createInterface({ input })) {
    const message = JSON.parse(line);
    record("line", message);
    if (message.type === "control_request") {
      const { request_id, request } = message;
      const response = { subtype: "success", request_id, response: ANSWERS[request.subtype] ?? {} };
      say({ type: "control_response", response });
    } else if (message.type === "control_response") waiting.get(message.response.request_id)?.();
    else if (message.type === "user") {
      const { content } = message.message;
      const text = typeof content === "string" ? content : content[0].text;
      turns = turns.then(() => turn(text));
    }
  }
  await turns;
}

function asksIn(text) {
  try {
    return JSON.parse(text).asks ?? [];
  } catch {
    return [];
  }
}
