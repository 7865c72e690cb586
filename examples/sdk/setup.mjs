import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const here = (path) => fileURLToPath(new URL(path, import.meta.url));

/**
 * The SDK to run: ours, or the one at the address in `SDK`. An ordinary program contains
 * `import { query } from "@agentwire/host"` instead.
 */
export const sdk = await import(process.env.SDK ?? "@agentwire/host");

const root = process.env.ROOT ?? mkdtempSync(join(tmpdir(), "agentwire-example-"));
if (!process.env.ROOT) process.on("exit", () => rmSync(root, { recursive: true, force: true }));

/** A separate folder for this run, in which the agent works. */
export const project = join(root, "project");
mkdirSync(project, { recursive: true });
// The functions that read sessions look in the folder in which the agent stores them.
process.env.CLAUDE_CONFIG_DIR = join(root, "home", ".claude");

/** Options that run our own agent in that folder. A script plays the model unless the environment names a Messages API. */
export function options(script, more = {}) {
  const { ANTHROPIC_BASE_URL, AGENT, ...inherited } = process.env;
  const model = ANTHROPIC_BASE_URL
    ? { ANTHROPIC_BASE_URL, ANTHROPIC_API_KEY: "an-example" }
    : { AGENTWIRE_SCRIPT: here(`scripts/${script}.json`) };
  return {
    pathToClaudeCodeExecutable: AGENT ?? here("../../packages/agent/bin/agentwire-agent"),
    cwd: project,
    env: { ...inherited, HOME: join(root, "home"), ...model },
    ...more,
  };
}

/** Prints the messages of a query: with `SHOW=all` all of them in full, otherwise a summary. */
export function show(message) {
  if (process.env.SHOW === "all") console.log(JSON.stringify(message));
  else console.log(short(message));
}

/** A prompt as an element of a prompt stream. */
export function prompt(text, more = {}) {
  return { type: "user", message: { role: "user", content: text }, parent_tool_use_id: null, ...more };
}

function short(message) {
  const kind = [message.type, message.subtype].filter(Boolean).join("/");
  if (message.type === "assistant") return `${kind}: ${message.message.content.map(shortBlock).join(" ")}`;
  if (message.type === "result") return `${kind}: ${message.result ?? message.errors?.join("; ")}`;
  if (message.type === "user") return `${kind}: ${JSON.stringify(message.message.content).slice(0, 100)}`;
  return message.type === "system" || message.type === "stream_event" ? kind : JSON.stringify(message);
}

function shortBlock(block) {
  return block.type === "tool_use"
    ? `${block.name}(${JSON.stringify(block.input)})`
    : (block.text ?? block.type);
}
