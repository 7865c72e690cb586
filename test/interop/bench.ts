import { randomUUID } from "node:crypto";
import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Script } from "@agentwire/models/script";
import type { Options, Query, SDKMessage, SDKUserMessage } from "@anthropic-ai/claude-agent-sdk";
import { expect, onTestFinished } from "vitest";
import { type ScriptedApi, startScriptedApi } from "../../packages/agent/test/scripted-api.ts";
import { pathWithNode } from "../nodes/install.ts";
import { leftovers } from "./leftovers.ts";
import { sdk } from "./official-sdk.ts";

const AGENT = fileURLToPath(new URL("../../packages/agent/bin/agentwire-agent", import.meta.url));

/** A separate project, home folder and Messages API for one test, and the official SDK configured to use them. */
export interface Bench {
  /** The program under test. */
  readonly agent: string;
  readonly cwd: string;
  readonly configDir: string;
  readonly env: Readonly<Record<string, string>>;
  readonly api: ScriptedApi;
  path(name: string): string;
  /** Resolves when a file of this name exists in the project. */
  appears(name: string): Promise<void>;
  /** Starts a query of the official SDK on the agent under test. */
  query(prompt: string | AsyncIterable<SDKUserMessage>, options?: Options): Query;
  /** Runs a query to its end. */
  ask(prompt: string | AsyncIterable<SDKUserMessage>, options?: Options): Promise<Talk>;
}

/** The messages of a query, and the error that ended it, if any. */
export interface Talk {
  readonly messages: readonly SDKMessage[];
  readonly error: Error | undefined;
}

/**
 * Sets up a bench; `files` are written into the project. The agent runs on the Node release of the tests, unless `node` or the
 * environment's AGENT_NODE names another one. No process of the bench may be left when the test has finished.
 */
export async function openBench(
  script: Script,
  files: Readonly<Record<string, string>> = {},
  node = process.env.AGENT_NODE,
): Promise<Bench> {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "agentwire-interop-")));
  const cwd = join(root, "project");
  const configDir = join(root, "home", ".claude");
  mkdirSync(cwd);
  mkdirSync(configDir, { recursive: true });
  // As an SDK user does if a project needs it.
  const projects = { [cwd]: { hasTrustDialogAccepted: true } };
  writeFileSync(join(configDir, ".claude.json"), JSON.stringify({ projects }));
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(cwd, name)), { recursive: true });
    writeFileSync(join(cwd, name), text);
  }
  const api = await startScriptedApi({ ...script, variables: { cwd, root } });
  const marker = randomUUID();
  const path = process.env.PATH ?? "";
  const env = {
    PATH: node ? await pathWithNode(node, path) : path,
    HOME: join(root, "home"),
    CLAUDE_CONFIG_DIR: configDir,
    CLAUDE_CODE_TMPDIR: join(root, "tmp"),
    ANTHROPIC_BASE_URL: api.url,
    ANTHROPIC_API_KEY: "test-key",
    AGENTWIRE_TEST: marker,
  };
  onTestFinished(async ({ task }) => {
    const left = await leftovers(`AGENTWIRE_TEST=${marker}`);
    await api.close();
    rmSync(root, { recursive: true, force: true });
    // A test that failed halfway has left its agent running, but the original failure matters more.
    if (task.result?.state !== "fail") expect(left).toEqual([]);
  });
  const query: Bench["query"] = (prompt, options = {}) =>
    sdk.query({ prompt, options: { pathToClaudeCodeExecutable: AGENT, cwd, env, ...options } });
  return {
    agent: AGENT,
    cwd,
    configDir,
    env,
    api,
    path: (name) => join(cwd, name),
    appears: (name) =>
      expect.poll(() => existsSync(join(cwd, name)), { interval: 10, timeout: 10_000 }).toBe(true),
    query,
    ask: (prompt, options) => collect(query(prompt, options)),
  };
}

/** Reads a query to its end. */
export async function collect(query: AsyncIterable<SDKMessage>): Promise<Talk> {
  const messages: SDKMessage[] = [];
  try {
    for await (const message of query) messages.push(message);
    return { messages, error: undefined };
  } catch (error) {
    return { messages, error: error as Error };
  }
}
