import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const here = (path) => fileURLToPath(new URL(path, import.meta.url));

/**
 * The SDK under trial: ours, or the one whose address is in `SDK`. An ordinary program has in its place
 * `import { query } from "@agentwire/host"`.
 */
export const sdk = await import(process.env.SDK ?? "@agentwire/host");

const root = process.env.ROOT ?? mkdtempSync(join(tmpdir(), "agentwire-example-"));
if (!process.env.ROOT) process.on("exit", () => rmSync(root, { recursive: true, force: true }));

/** A folder of this run's own, in which the agent works. */
export const project = join(root, "project");
mkdirSync(project, { recursive: true });
// The helpers that read sessions look where the agent has put them.
process.env.CLAUDE_CONFIG_DIR = join(root, "home", ".claude");

/** Options that run our own agent in that folder; a script plays the model unless the environment names a Messages API. */
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

/** Prints what a query gave: everything with `SHOW=all`, else what a person would want to see. */
export function show(message) {
  if (process.env.SHOW === "all") console.log(JSON.stringify(message));
  else console.log(short(message));
}

/** A prompt as it stands in a stream of prompts. */
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
