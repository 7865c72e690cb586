#!/usr/bin/env node
// A minimal agent: it talks, asks, remembers its prompts, and starts quickly.
import { randomUUID } from "node:crypto";
import { appendFileSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";

const args = process.argv.slice(2);
if (args.includes("--version")) {
  process.stdout.write("2.1.325 (Claude Code)\n");
  process.exit(0);
}
const home = process.env.TINY_HOME ?? ".";
// A forgetful agent neither recognizes a repeated prompt nor reports the state of one.
const isForgetful = process.env.TINY_FORGETFUL !== undefined;
const given = (flag) => args.find((arg) => arg.startsWith(`${flag}=`))?.slice(flag.length + 1);
const resumed = given("--resume");
const id = given("--session-id") ?? resumed ?? randomUUID();
const fileOf = (name) => join(home, `${name}.conversation`);
const usage = {
  input_tokens: 1,
  output_tokens: 1,
  cache_creation_input_tokens: 0,
  cache_read_input_tokens: 0,
};

const lineOf = (message) => `${JSON.stringify({ ...message, session_id: id, uuid: randomUUID() })}\n`;
const say = (message) => process.stdout.write(lineOf(message));
const result = (fields) =>
  say({
    type: "result",
    subtype: "success",
    is_error: false,
    result: "",
    duration_ms: 1,
    duration_api_ms: 1,
    num_turns: 1,
    stop_reason: "end_turn",
    total_cost_usd: 0,
    usage,
    modelUsage: {},
    permission_denials: [],
    ...fields,
  });

if (resumed !== undefined && !existsSync(fileOf(resumed))) {
  const errors = [`No conversation found with session ID: ${resumed}`];
  result({ subtype: "error_during_execution", is_error: true, errors });
  process.exitCode = 1;
} else if (id !== resumed && existsSync(fileOf(id))) {
  process.stderr.write(`Session ID ${id} is already in use.\n`);
  process.exitCode = 1;
} else live();

function live() {
  if (resumed !== undefined && resumed !== id) writeFileSync(fileOf(id), readFileSync(fileOf(resumed)));
  const answers = new Map();
  const seen = new Set(existsSync(fileOf(id)) ? readFileSync(fileOf(id), "utf8").split("\n") : []);
  let turns = Promise.resolve();
  const lines = createInterface({ input: process.stdin });
  lines.on("close", () => process.exit(0));
  lines.on("line", (line) => {
    const message = JSON.parse(line);
    if (message.type === "user") {
      if (seen.has(message.uuid) && !isForgetful) show(message);
      else {
        seen.add(message.uuid);
        follow(message.uuid, "queued");
        turns = turns.then(() => turn(message, answers));
      }
    } else if (message.type === "control_request") {
      const { request_id, request } = message;
      const response =
        request.model === "bad"
          ? { subtype: "error", request_id, error: "there is no such model" }
          : {
              subtype: "success",
              request_id,
              response: isForgetful ? {} : { claude_code_version: "2.1.325" },
            };
      process.stdout.write(`${JSON.stringify({ type: "control_response", response })}\n`);
    } else if (message.type === "control_response")
      answers.get(message.response.request_id)?.(message.response.response);
  });
}

function show({ uuid, message }) {
  if (args.includes("--replay-user-messages"))
    process.stdout.write(
      `${JSON.stringify({ type: "user", message, parent_tool_use_id: null, session_id: id, uuid, isReplay: true })}\n`,
    );
}

function follow(command_uuid, state) {
  if (!isForgetful) say({ type: "command_lifecycle", command_uuid, state });
}

async function turn(prompt, answers) {
  const {
    uuid,
    message: { content },
  } = prompt;
  const [word, count = "3", letters = "4"] = String(content).split(" ");
  appendFileSync(fileOf(id), `${uuid}\n`);
  follow(uuid, "started");
  say({
    type: "system",
    subtype: "init",
    cwd: process.cwd(),
    tools: ["Bash"],
    mcp_servers: [],
    model: "tiny",
    permissionMode: "default",
    slash_commands: [],
    apiKeySource: "none",
    claude_code_version: "2.1.325",
    output_style: "default",
    agents: [],
    skills: [],
    plugins: [],
  });
  show(prompt);
  const reply = `msg_${randomUUID()}`;
  const event = (fields) => say({ type: "stream_event", event: fields, parent_tool_use_id: null });
  const whole = {
    id: reply,
    type: "message",
    role: "assistant",
    model: "tiny",
    stop_reason: null,
    stop_sequence: null,
    usage,
  };
  event({ type: "message_start", message: { ...whole, content: [] } });
  event({ type: "content_block_start", index: 0, content_block: { type: "text", text: "" } });
  let text = "";
  for (let i = 0; i < Number(count); i++) {
    const said = "word".padEnd(Number(letters), "d");
    text += said;
    event({ type: "content_block_delta", index: 0, delta: { type: "text_delta", text: said } });
    await new Promise((resolve) => setTimeout(resolve, 2));
  }
  say({
    type: "assistant",
    message: { ...whole, content: [{ type: "text", text }] },
    parent_tool_use_id: null,
  });
  event({ type: "content_block_stop", index: 0 });
  event({ type: "message_stop" });
  if (word === "ask") await ask(answers, whole);
  result({ result: text, ...(!isForgetful && { user_message_uuids: [uuid] }) });
}

/** The call and its question are written in one chunk, as can happen with a pipe. */
async function ask(answers, whole) {
  const requestId = randomUUID();
  const call = { type: "tool_use", id: `toolu_${randomUUID()}`, name: "Bash", input: { command: "true" } };
  const request = {
    subtype: "can_use_tool",
    tool_name: call.name,
    input: call.input,
    tool_use_id: call.id,
  };
  const answered = new Promise((resolve) => answers.set(requestId, resolve));
  process.stdout.write(
    lineOf({ type: "assistant", message: { ...whole, content: [call] }, parent_tool_use_id: null }) +
      `${JSON.stringify({ type: "control_request", request_id: requestId, request })}\n`,
  );
  await answered;
}
