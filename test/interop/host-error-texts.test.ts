import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import * as host from "../../packages/host/src/index.ts";
import { sdk } from "./official-sdk.ts";

// Programs search an error's text for words of the official SDK. Each text here is one that public programs match.

const FOLDER = mkdtempSync(join(tmpdir(), "agentwire-texts-"));
afterAll(() => rmSync(FOLDER, { recursive: true, force: true }));

/** An agent that runs this shell code when it starts. */
function agentThat(name: string, does: string, mode = 0o755): string {
  const path = join(FOLDER, name);
  const version = '[ "$1" = --version ] && { echo "2.1.325 (Claude Code)"; exit 0; }';
  writeFileSync(path, `#!/bin/sh\n${version}\n${does}\n`, { mode });
  return path;
}

const RESULT =
  '{"type":"result","subtype":"error_during_execution","is_error":true,"errors":["bad thing"],"num_turns":1}';

const ENDS: readonly (readonly [string, string, RegExp])[] = [
  [
    "does not exist",
    join(FOLDER, "nowhere"),
    /^Claude Code native binary not found at \S+nowhere\. .*options\.pathToClaudeCodeExecutable/,
  ],
  [
    "is not executable",
    agentThat("plain", "", 0o644),
    /^Claude Code native binary at \S+plain exists but failed to launch/,
  ],
  [
    "exits with an error",
    agentThat("exits", "echo oops >&2; exit 3"),
    /^Claude Code process exited with code 3\. stderr: oops$/,
  ],
  ["exits silently", agentThat("quiet", "exit 3"), /^Claude Code process exited with code 3$/],
  ["is killed", agentThat("killed", "kill -9 $$"), /^Claude Code process terminated by signal SIGKILL$/],
  [
    "fails its turn",
    agentThat("fails", `read line; echo '${RESULT}'; exit 1`),
    /^Claude Code returned an error result: bad thing$/,
  ],
];

const textOf = async (query: typeof sdk.query, path: string, abortController = new AbortController()) => {
  try {
    for await (const _ of query({
      prompt: "hi",
      options: { pathToClaudeCodeExecutable: path, abortController },
    }));
    return "no error";
  } catch (error) {
    return (error as Error).message;
  }
};

test.each(ENDS)("an agent that %s is reported in the official SDK's words", async (_what, path, words) => {
  expect(await textOf(sdk.query, path)).toMatch(words);
  expect(await textOf(host.query as never, path)).toMatch(words);
});

test("an abort is reported in the official SDK's words", async () => {
  const path = agentThat("waits", "exec sleep 60");
  for (const query of [sdk.query, host.query as never]) {
    const controller = new AbortController();
    const text = textOf(query, path, controller);
    setTimeout(() => controller.abort(), 300);
    expect(await text).toBe("Claude Code process aborted by user");
  }
});
