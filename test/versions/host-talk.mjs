// Drives one agent with `query()` and `openSession()` and a scripted API, and prints as JSON what worked and why the rest did not.
// Runs without a network except the loopback interface.
import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { calls, says, startScriptedApi } from "@agentwire/conformance";
import { HostError, openSession, query } from "@agentwire/host";
import { examineAgent } from "@agentwire/host/agent";
import { features } from "./host-features.mjs";

const [, , path] = process.argv;
const root = realpathSync(mkdtempSync(join(tmpdir(), "agentwire-versions-")));
const cwd = join(root, "project");
mkdirSync(join(cwd, ".claude"), { recursive: true });
// The oldest agents can't ask, so a file lists what they may do.
writeFileSync(
  join(cwd, ".claude", "settings.json"),
  JSON.stringify({ permissions: { allow: ["mcp__program__echo"] } }),
);
const environment = {
  PATH: process.env.PATH,
  HOME: root,
  CLAUDE_CONFIG_DIR: join(root, ".claude"),
  ANTHROPIC_API_KEY: "test-key",
  CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
  DISABLE_AUTOUPDATER: "1",
};

const BASE = { pathToClaudeCodeExecutable: path, cwd, env: environment };

/** A conversation with one agent: sends prompts one by one and records the messages for the trials of the features. */
class Talk {
  query;
  api;
  heard = new Set();
  asked = new Set();
  sessionId;
  #prompts = [];
  #wake = () => {};
  #calls = new Map();
  #results = new Map();

  async start(steps, options) {
    this.api = await startScriptedApi({ steps }, { cwd });
    const env = { ...environment, ANTHROPIC_BASE_URL: this.api.url };
    this.query = query({
      prompt: this.#input(),
      options: { ...BASE, env, ...options },
    });
  }

  /** Sends a prompt and resolves with its result. */
  async turn(text, more = {}) {
    this.#prompts.push({
      type: "user",
      message: { role: "user", content: text },
      parent_tool_use_id: null,
      session_id: "",
      ...more,
    });
    this.#wake();
    for (;;) {
      const { done, value } = await this.query.next();
      if (done) throw new Error("the agent ended in the middle of a turn");
      this.#note(value);
      if (value.type === "result") return value;
    }
  }

  /** The result of a tool. */
  resultOf(name) {
    return this.#results.get(name);
  }

  exists(name) {
    return existsSync(join(cwd, name));
  }

  async until(holds) {
    while (!holds()) await setTimeout(10);
  }

  async end() {
    await this.query?.return();
    await this.api?.close();
  }

  async *#input() {
    for (;;) {
      yield* this.#prompts.splice(0);
      await new Promise((resolve) => {
        this.#wake = resolve;
      });
    }
  }

  #note(message) {
    this.heard.add(message.type);
    this.sessionId = message.session_id ?? this.sessionId;
    const { content } = message.message ?? {};
    if (!Array.isArray(content)) return;
    for (const block of content) {
      if (block.type === "tool_use") this.#calls.set(block.id, block.name);
      if (block.type === "tool_result")
        this.#results.set(this.#calls.get(block.tool_use_id), JSON.stringify(block.content));
    }
  }
}

const outcome = {};
const reasonOf = (error) => (error instanceof HostError ? `${error.code}: ${error.message}` : String(error));

async function attempt(name, work) {
  try {
    await work();
    outcome[name] = "works";
  } catch (error) {
    outcome[name] = reasonOf(error);
  }
}

/** The error if this agent does not support these options. The query is aborted in advance, so no agent starts. */
async function refusal(options) {
  const abortController = new AbortController();
  abortController.abort();
  const asked = query({ prompt: "", options: { ...BASE, ...options, abortController } });
  const error = await asked.next().catch((thrown) => thrown);
  return error instanceof HostError ? error : undefined;
}

/** Tries the features one after the other in one conversation, with all options that this agent supports. */
async function converse() {
  const talk = new Talk();
  const tried = [];
  for (const [name, feature] of Object.entries(features)) {
    const options = feature.options?.(talk) ?? {};
    const error = await refusal(options);
    if (error) outcome[name] = reasonOf(error);
    else tried.push({ steps: [], ...feature, name, options });
  }
  const options = tried.map((feature) => feature.options);
  await talk.start(
    tried.flatMap(({ steps }) => steps),
    {
      ...Object.assign({}, ...options),
      allowedTools: options.flatMap(({ allowedTools = [] }) => allowedTools),
      mcpServers: Object.assign({}, ...options.map(({ mcpServers }) => mcpServers)),
    },
  );
  for (const { name, trial } of tried) await attempt(name, () => trial(talk));
  await talk.end();
  return talk.sessionId;
}

/** Continues a conversation in a new process. The model must be sent what was said before. */
async function resume(sessionId, more) {
  const talk = new Talk();
  await talk.start([says("I remember.")], { resume: sessionId, ...more });
  try {
    await talk.turn("what did I say?");
    if (!talk.api.requests.sent(-1, "Hello there."))
      throw new Error("the model was not told what was said before");
    if (more?.forkSession && talk.sessionId === sessionId) throw new Error("no session of its own");
  } finally {
    await talk.end();
  }
}

/** An answer that follows the requested schema. */
async function structuredOutput() {
  const schema = { type: "object", properties: { city: { type: "string" } }, required: ["city"] };
  const talk = new Talk();
  const steps = [calls("StructuredOutput", { city: "Paris" }), says("Done.")];
  await talk.start(steps, { outputFormat: { type: "json_schema", schema } });
  try {
    const { structured_output } = await talk.turn("which city?");
    if (structured_output?.city !== "Paris") throw new Error(JSON.stringify(structured_output));
  } finally {
    await talk.end();
  }
}

/** The long-lived interface: two prompts, then the end of input. */
async function session() {
  const api = await startScriptedApi({ steps: [says("One."), says("Two.")] });
  const env = { ...environment, ANTHROPIC_BASE_URL: api.url };
  const opened = await openSession({ agent: path, cwd, env });
  try {
    const results = [];
    opened.send("one");
    for await (const message of opened.messages) {
      if (message.type !== "result") continue;
      results.push(message.result);
      if (results.length === 1) opened.send("two");
      else break;
    }
    const { error } = await opened.drain();
    if (error) throw error;
    if (results.join() !== "One.,Two.") throw new Error(results.join());
  } finally {
    await opened.close();
    await api.close();
  }
}

const { version } = await examineAgent({ agent: path, env: environment });
const sessionId = await converse();
await attempt("`resume`", () => resume(sessionId));
await attempt("`resume` with `forkSession`", () => resume(sessionId, { forkSession: true }));
await attempt("structured output (`outputFormat`)", structuredOutput);
await attempt("`openSession`", session);
rmSync(root, { recursive: true, force: true, maxRetries: 5 });
process.stdout.write(JSON.stringify({ version: version?.text, outcome }));
