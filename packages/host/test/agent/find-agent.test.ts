import { chmodSync, mkdirSync, readFileSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { examineAgent, requireSupported } from "../../src/agent/agent.ts";
import { commandOf, findAgent } from "../../src/agent/find-agent.ts";
import { query } from "../../src/query/start-query.ts";
import { openSession } from "../../src/session/session.ts";
import { agentFile, readAll } from "../programs/agent-file.ts";
import { freshFolder, timed } from "../programs/shell-agent.ts";

const { PATH } = process.env;

/** A program that counts its calls in a file next to it. */
function program(name: string, script: string, folder = freshFolder()) {
  const path = join(folder, name);
  writeFileSync(path, `#!/bin/sh\necho "$@" >> "${path}.calls"\n${script}\n`);
  chmodSync(path, 0o755);
  const calls = () => readFileSync(`${path}.calls`, "utf8").trim().split("\n");
  return { path, folder, calls };
}

describe("finding an agent", { timeout: 30_000 }, () => {
  test("uses the given path, or the given name on PATH", () => {
    const { path, folder } = program("my-agent", "");
    expect(findAgent(path, {})).toEqual({ path, origin: "given" });
    expect(findAgent("my-agent", { PATH: `/no/such:${folder}` })).toEqual({ path, origin: "given" });
    expect(findAgent("./my-agent", {}, folder)).toEqual({ path, origin: "given" });
  });

  test("otherwise uses claude on PATH, ignoring folders and files that are not executable", () => {
    const hidden = freshFolder();
    mkdirSync(join(hidden, "claude"));
    const text = freshFolder();
    writeFileSync(join(text, "claude"), "");
    const { path, folder } = program("claude", "");
    expect(findAgent(undefined, { PATH: [hidden, text, folder].join(":") })).toEqual({
      path,
      origin: "path",
    });
  });

  test("otherwise uses the agent of this project", () => {
    const found = findAgent(undefined, { PATH: freshFolder() });
    expect(found).toMatchObject({ origin: "own", path: expect.stringMatching(/agentwire-agent$/) });
  });

  test("runs scripts with a runtime and programs directly", () => {
    expect(commandOf("/a/claude")).toEqual(["/a/claude"]);
    expect(commandOf("/a/cli.js")).toEqual(["node", "/a/cli.js"]);
    expect(commandOf("/a/cli.ts", { executable: "bun", executableArgs: ["--smol"] })).toEqual([
      "bun",
      "--smol",
      "/a/cli.ts",
    ]);
  });
});

describe("examining an agent", { timeout: 30_000 }, () => {
  const VERSIONS = [
    ["1.0.22 (Claude Code)", "claude-v1", "FULLY_COMPATIBLE"],
    ["1.0.128 (Claude Code)", "claude-v1", "FULLY_COMPATIBLE"],
    ["2.0.77 (Claude Code)", "claude", "FULLY_COMPATIBLE"],
    ["2.1.325 (Claude Code)", "claude", "FULLY_COMPATIBLE"],
    ["9.0.0 (Claude Code)", "claude", "LIKELY_COMPATIBLE"],
    ["0.9.1 (Claude Code)", "claude", "INCOMPATIBLE"],
    ["who knows", "claude", "UNKNOWN"],
  ] as const;

  test.each(VERSIONS)("%s speaks %s and is %s", async (version, dialect, level) => {
    const { path } = program("claude", `echo '${version}'`);
    expect(await examineAgent({ agent: path, env: { PATH } })).toMatchObject({ dialect, verdict: { level } });
  });

  test("does not judge another program's version by Claude's numbers", async () => {
    const { path } = program("qwen", "echo 0.15.10");
    expect(await examineAgent({ agent: path, env: { PATH } })).toMatchObject({
      version: undefined,
      dialect: "claude",
      verdict: {
        level: "UNKNOWN",
        logLevel: "warn",
        message: expect.stringMatching(/0\.15\.10.*not a version of Claude Code/),
      },
    });
    const named = program("claude-next", "echo 0.15.10").path;
    expect(await examineAgent({ agent: named, env: { PATH } })).toMatchObject({
      verdict: { level: "INCOMPATIBLE" },
    });
  });

  test("asks for the version once, and again after the file has changed", async () => {
    const { path, folder, calls } = program("claude", "echo 2.0.1");
    await examineAgent({ agent: path, env: { PATH } });
    await Promise.all([
      examineAgent({ agent: path, env: { PATH } }),
      examineAgent({ agent: path, env: { PATH } }),
    ]);
    expect(calls()).toEqual(["--version"]);
    program("claude", "echo 2.0.2", folder);
    utimesSync(path, 1, 1);
    expect(await examineAgent({ agent: path, env: { PATH } })).toMatchObject({ version: { patch: 2 } });
    expect(calls()).toHaveLength(2);
  });

  test("asks for the version again after a failure", async () => {
    const { path, calls } = program("claude", "exit 1");
    expect(await examineAgent({ agent: path, env: { PATH } })).toMatchObject({ version: undefined });
    await examineAgent({ agent: path, env: { PATH } });
    expect(calls()).toHaveLength(2);
  });

  test("waits at most five seconds, and leaves no process behind", async () => {
    const { path } = program("claude", "trap '' TERM; yes noise & sleep 60");
    const { value, ms } = await timed(() => examineAgent({ agent: path, env: { PATH } }));
    expect(value).toMatchObject({ version: undefined, verdict: { level: "UNKNOWN" } });
    expect(ms).toBeLessThan(9000);
  });

  test("reports what to do about a name or path that leads to nothing", () => {
    const env = { PATH: freshFolder() };
    expect(() => findAgent("claude", env)).toThrow(
      '"claude" is not on PATH: install it, or give the path of one.',
    );
    expect(() => findAgent("./claude", env)).toThrow('No agent found at "./claude": give the path of one.');
  });

  test("treats a script without its runtime as a missing agent", async () => {
    const { path } = program("cli.js", "");
    await expect(openSession({ agent: path, env: { PATH: freshFolder() } })).rejects.toMatchObject({
      code: "agent_not_found",
    });
  });

  test("reports what to do about an agent that is too old", async () => {
    const { path } = program("claude", "echo 1.0.2");
    const facts = await examineAgent({ agent: path, env: { PATH } });
    expect(() => requireSupported(facts)).toThrow(expect.objectContaining({ code: "unsupported_version" }));
    await expect(openSession({ agent: path, env: { PATH } })).rejects.toMatchObject({
      code: "unsupported_version",
      message: expect.stringMatching(/1\.0\.2 < required v1\.0\.22\. Update/),
    });
  });
});

test("a query treats an agent as the assumed version", { timeout: 30_000 }, async () => {
  const old = agentFile("next; answer; result; cat >/dev/null", "0.9.1");
  const start = (agentwire = {}) => query({ prompt: "go", options: { ...old, agentwire } });
  const ask = (agentwire = {}) => readAll(start(agentwire));
  expect((await ask()).error).toMatchObject({
    code: "unsupported_version",
    message: expect.stringContaining("assumeVersion"),
  });
  expect(await ask({ assumeVersion: "2.1.325" })).toMatchObject({ types: ["result"], error: undefined });
  expect(() => start({ assumeVersion: "new" })).toThrow(expect.objectContaining({ code: "invalid_option" }));
});

test("an option that an old agent lacks is rejected before the agent starts", {
  timeout: 30_000,
}, async () => {
  const { path, calls } = program("claude", "echo 1.0.22");
  const env = { PATH };
  await expect(openSession({ agent: path, env, permissions: "stream" })).rejects.toMatchObject({
    code: "unsupported_option",
  });
  await expect(openSession({ agent: path, env, initialize: {} })).rejects.toMatchObject({
    code: "unsupported_option",
  });
  expect(calls()).toEqual(["--version"]);
});

test("a session starts the agent it found with the flags it needs, in the session's own environment", {
  timeout: 30_000,
}, async () => {
  const says = `case $1 in --version) echo 2.1.300;; *)
    echo "claudecode=$CLAUDECODE entry=$CLAUDE_CODE_ENTRYPOINT" >&2
    IFS= read -r line; id=\${line#*'"request_id":"'}; id=\${id%%'"'*}
    printf '{"type":"control_response","response":{"subtype":"success","request_id":"%s","response":{}}}\\n' "$id"
    read -r line;; esac`;
  const { path, calls } = program("claude", says);
  let stderr = "";
  await using session = await openSession({
    agent: path,
    args: ["--model", "m"],
    permissions: "stream",
    env: { PATH, CLAUDECODE: process.env.CLAUDECODE },
    onStderr: (text) => {
      stderr += text;
    },
  });
  expect(session.agent).toMatchObject({ path, dialect: "claude", verdict: { level: "FULLY_COMPATIBLE" } });
  expect(calls().at(-1)).toBe(
    "--output-format stream-json --verbose --input-format stream-json --permission-prompt-tool=stdio --model m",
  );
  await session.close();
  expect(stderr).toBe("claudecode= entry=sdk-ts\n");
});

test("a session uses an examined agent without asking it again, and gives the official options their official meaning", {
  timeout: 30_000,
}, async () => {
  const { path, calls } = program(
    "claude",
    "case $1 in --version) echo 2.1.300;; *) exec cat >/dev/null;; esac",
  );
  const agent = await examineAgent({ agent: path, env: { PATH } });
  const opened = openSession({
    agent,
    env: { PATH },
    model: "m",
    resume: "s",
    forkSession: true,
    includePartialMessages: true,
    permissionMode: "plan",
    deadlines: { firstLineMs: 100 },
  });
  await expect(opened).rejects.toMatchObject({ code: "no_first_line" });
  expect(calls()).toEqual([
    "--version",
    "--output-format stream-json --verbose --input-format stream-json --model=m --resume=s --permission-mode=plan --include-partial-messages --fork-session",
  ]);
});

test("an error about an option's type names the faulty part", () => {
  const text = (options: object) => {
    try {
      query({ prompt: "go", options });
    } catch (error) {
      return (error as Error).message;
    }
    return "";
  };
  expect(text({ disallowedTools: ["Bash", 1] })).toBe(
    "disallowedTools should be string[]: look at disallowedTools.1",
  );
  expect(text({ thinking: {} })).toBe("thinking.type is missing");
  expect(text({ hooks: { Stop: [{ hooks: ["guard"] }] } })).toBe(
    "hooks should be {[event]: {hooks: function[]}[]}: look at hooks.Stop.0.hooks.0",
  );
  expect(text({ abortController: {} })).toBe("abortController should be AbortController");
  expect(text({ modle: "m" })).toBe("unknown option modle of this host");
});
