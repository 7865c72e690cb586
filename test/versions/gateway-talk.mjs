// Runs a session of the official SDK that uses tools, with the official agent and the gateway, whose provider speaks Chat Completions,
// and prints the result as JSON. Runs without a network except the loopback interface.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { query } from "../interop/node_modules/@anthropic-ai/claude-agent-sdk/sdk.mjs";

const AGENTWIRE = fileURLToPath(new URL("../../packages/cli/bin/agentwire", import.meta.url));
const [, , path] = process.argv;
const root = realpathSync(mkdtempSync(join(tmpdir(), "agentwire-gateway-")));
const cwd = join(root, "project");
mkdirSync(cwd);

const PROMPT = "write a note and show it";

/** The model's steps, in order: tool calls (in pieces) and texts. */
const STEPS = [
  call("Write", { file_path: join(cwd, "note.txt"), content: "written through the gateway\n" }),
  call("Bash", { command: "cat note.txt", description: "Show the note" }),
  { content: "The note says: written through the gateway." },
];

function call(name, input) {
  return { name, arguments: JSON.stringify(input) };
}

const requests = [];
const provider = createServer(async (request, response) => {
  // The gateway asks for its models, to see whether it answers.
  if (request.method === "GET") return response.writeHead(404).end();
  const chunks = [];
  for await (const chunk of request) chunks.push(chunk);
  const body = JSON.parse(Buffer.concat(chunks).toString());
  requests.push({ path: request.url, body });
  response.writeHead(200, { "content-type": "text/event-stream" });
  // Other requests ask for titles and the like.
  const isWork = body.tools && JSON.stringify(body.messages).includes(PROMPT);
  const step = isWork ? (STEPS[body.messages.filter(({ role }) => role === "tool").length] ?? {}) : {};
  for (const choice of choices(step)) response.write(`data: ${JSON.stringify({ choices: [choice] })}\n\n`);
  const usage = { prompt_tokens: 100, completion_tokens: 10, prompt_tokens_details: { cached_tokens: 40 } };
  response.end(`data: ${JSON.stringify({ choices: [], usage })}\n\ndata: [DONE]\n\n`);
}).listen(0, "127.0.0.1");
await once(provider, "listening");

function* choices(step) {
  if (!step.name) {
    yield { delta: { content: step.content ?? "ok" } };
    yield { delta: {}, finish_reason: "stop" };
    return;
  }
  const half = step.arguments.length >> 1;
  const piece = (fields) => ({ delta: { tool_calls: [{ index: 0, ...fields }] } });
  yield { delta: { reasoning_content: "I use a tool." } };
  yield piece({ id: `call_${step.name}`, function: { name: step.name, arguments: "" } });
  yield piece({ function: { arguments: step.arguments.slice(0, half) } });
  yield piece({ function: { arguments: step.arguments.slice(half) } });
  yield { delta: {}, finish_reason: "tool_calls" };
}

const baseUrl = `http://127.0.0.1:${provider.address().port}/v1`;
const gateway = spawn(
  process.execPath,
  [AGENTWIRE, "gateway", "--model", "scripted/tiny", "--port", "0", "--json"],
  {
    env: {
      PATH: process.env.PATH,
      HOME: root,
      AGENTWIRE_PROVIDERS: JSON.stringify({ scripted: { baseUrl } }),
    },
    stdio: ["ignore", "pipe", "inherit"],
  },
);
process.once("exit", () => gateway.kill("SIGKILL"));
const told = [];
const lines = createInterface(gateway.stdout).on("line", (line) => told.push(JSON.parse(line)));
await once(lines, "line");
const [{ url, token }] = told;

/** All texts of the session. */
async function converse(prompt, options) {
  const messages = [];
  const env = {
    PATH: process.env.PATH,
    HOME: root,
    CLAUDE_CONFIG_DIR: join(root, ".claude"),
    ANTHROPIC_BASE_URL: url,
    ANTHROPIC_AUTH_TOKEN: token,
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
    DISABLE_AUTOUPDATER: "1",
  };
  const base = { pathToClaudeCodeExecutable: path, cwd, env, settingSources: [] };
  for await (const message of query({ prompt, options: { ...base, ...options } })) messages.push(message);
  return messages;
}

/** A prompt as an input stream that stays open until its result, so that questions can be asked. */
async function* spoken(content) {
  yield { type: "user", message: { role: "user", content }, parent_tool_use_id: null };
}

const asked = new Set();
const messages = await converse(spoken(PROMPT), {
  model: "scripted/tiny",
  includePartialMessages: true,
  canUseTool: async (name, input) => {
    asked.add(name);
    return { behavior: "allow", updatedInput: input };
  },
});
// Uses the name of one of Claude's models; only the gateway knows that it stands for another model.
const unnamed = await converse("hello", { model: "claude-sonnet-5" });

const replies = messages.filter(({ type }) => type === "assistant").map(({ message }) => message);
const blocks = (type) => replies.flatMap(({ content }) => content.filter((block) => block.type === type));
const { result, is_error, modelUsage } = messages.find(({ type }) => type === "result");
const results = requests.flatMap(({ body }) => body.messages.filter(({ role }) => role === "tool"));
process.stdout.write(
  JSON.stringify({
    model: messages.find(({ subtype }) => subtype === "init").model,
    replied: [...new Set(replies.map(({ model }) => model))],
    used: Object.keys(modelUsage),
    thought: blocks("thinking").map(({ thinking }) => thinking),
    called: blocks("tool_use").map(({ name }) => name),
    asked: [...asked],
    streamsInput: messages.some(({ event }) => event?.delta?.type === "input_json_delta"),
    file: readFileSync(join(cwd, "note.txt"), "utf8"),
    isResultSeen: results.some(({ content }) => String(content).includes("written through the gateway")),
    result,
    isError: is_error,
    unnamed: unnamed.find(({ type }) => type === "assistant").message.model,
    failures: told.slice(1).filter(({ error }) => error),
  }),
);
gateway.kill();
await once(gateway, "close");
provider.close();
provider.closeAllConnections();
rmSync(root, { recursive: true, force: true });
