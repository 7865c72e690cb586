import { chmodSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { query } from "../../src/query/start-query.ts";
import type { SDKMessage } from "../../src/sdk/messages.ts";
import type { Options } from "../../src/sdk/options.ts";
import type { QueryOptions } from "../../src/sdk/own-options.ts";
import type { Prompt, Query } from "../../src/sdk/query.ts";
import { freshFolder, shellAgent } from "./shell-agent.ts";

/** Options that run a shell script as an agent of a given version; its arguments are in `$argv`. */
export function agentFile(script: string, version = "2.1.325"): Options {
  const folder = freshFolder();
  const path = join(folder, "agent");
  const [, program = ""] = shellAgent(script).args;
  const probe = `case "$*" in *--version*) echo '${version} (Claude Code)'; exit 0;; esac\nargv="$*"\n`;
  writeFileSync(path, `#!/bin/sh\n${probe}${program}\n`);
  chmodSync(path, 0o755);
  return { pathToClaudeCodeExecutable: path, cwd: folder, env: { PATH: process.env.PATH } };
}

/** A query to such an agent. */
export function queryAgent(script: string, prompt: Prompt = "go", options: QueryOptions = {}): Query {
  return query({ prompt, options: { ...agentFile(script), ...options } });
}

/** The types of all messages of a query, and the error that ended it, if any. */
export async function readAll(messages: AsyncIterable<SDKMessage>) {
  const types: string[] = [];
  try {
    for await (const message of messages) types.push(message.type);
    return { types, error: undefined };
  } catch (error) {
    return { types, error: error as Error & { readonly code?: string } };
  }
}
