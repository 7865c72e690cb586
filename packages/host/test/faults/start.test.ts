import { chmodSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { HostError } from "../../src/errors.ts";
import { openLink } from "../../src/link/agent-link.ts";
import { openSession } from "../../src/session/session.ts";
import { freshFolder, PROMPT, shellAgent, timed } from "../programs/shell-agent.ts";

const env = { PATH: process.env.PATH };

function file(content: string, mode: number): string {
  const path = join(freshFolder(), "agent");
  writeFileSync(path, content);
  chmodSync(path, mode);
  return path;
}

const CASES = [
  [
    "a name that is nowhere on PATH",
    () => ({ command: "no-such-agent" }),
    "agent_not_found",
    /Program .* not found/,
  ],
  ["a path to nothing", () => ({ command: "/no/such/agent" }), "agent_not_found", /give its path/],
  [
    "a path through a file",
    () => ({ command: "/dev/null/agent" }),
    "agent_not_found",
    /Program .* not found/,
  ],
  [
    "a file that is not executable",
    () => ({ command: file("#!/bin/sh\n", 0o644) }),
    "not_executable",
    /chmod/,
  ],
  ["a folder", () => ({ command: freshFolder() }), "not_executable", /is not executable/],
  [
    "a script whose interpreter is missing",
    () => ({ command: file("#!/no/such/sh\n", 0o755) }),
    "not_executable",
    /interpreter/,
  ],
  [
    "a folder that does not exist",
    () => ({ command: "sh", cwd: "/no/such/folder" }),
    "spawn_failed",
    /folder .* does not exist/,
  ],
  [
    "an argument beyond 128 KiB",
    () => ({ command: "sh", args: ["--x", "y".repeat(131_072)] }),
    "argument_too_long",
    /\(--x\)/,
  ],
  [
    "a variable beyond 128 KiB",
    () => ({ command: "sh", env: { BIG: "y".repeat(131_072) } }),
    "argument_too_long",
    /BIG/,
  ],
  [
    "a transcript that can't be written",
    () => ({ command: "sh", record: "/no/such/folder/t.jsonl" }),
    "record_failed",
    /transcript/,
  ],
  [
    "a spawn function that throws",
    () => ({
      command: "sh",
      spawn: () => {
        throw new Error("no container");
      },
    }),
    "spawn_failed",
    /no container/,
  ],
  [
    "a signal that has already fired",
    () => ({ command: "sh", signal: AbortSignal.abort() }),
    "aborted",
    /aborted/,
  ],
] as const;

test.each(CASES)(
  "%s is a named error, reported at once to requests, sends and waits",
  async (_name, launch, code, text) => {
    const { value: link, ms } = await timed(async () => {
      const started = openLink({ args: [], env, ...launch() }, {});
      await expect(started.request("initialize", {})).rejects.toMatchObject({ code });
      return started;
    });
    expect(ms).toBeLessThan(2000);
    const { error } = await link.ended;
    expect(error).toBeInstanceOf(HostError);
    expect(error).toMatchObject({ code, message: expect.stringMatching(text) });
    expect(() => link.send(PROMPT)).toThrow(expect.objectContaining({ code }));
    expect(await link.messages.ready()).toBe(false);
    expect(await link.drain()).toEqual(await link.close());
  },
);

test("a session with a missing agent rejects with the same error", { timeout: 30_000 }, async () => {
  await expect(openSession({ agent: "/no/such/agent", env })).rejects.toMatchObject({
    code: "agent_not_found",
  });
  await expect(openSession({ command: ["no-such-agent"], env })).rejects.toMatchObject({
    code: "agent_not_found",
  });
});

test("an agent that exits at once rejects the handshake with its exit code and its stderr", {
  timeout: 30_000,
}, async () => {
  const { command, args } = shellAgent(
    "echo 'bad flag; ANTHROPIC_API_KEY=sk-ant-api03-abcdefgh' >&2; exit 3",
  );
  const failure = await openSession({ command: [command, ...args], env }).catch((error: unknown) => error);
  expect(failure).toMatchObject({ code: "exited", exitCode: 3, pid: expect.any(Number) });
  expect(failure).toMatchObject({
    stderr: "bad flag; ANTHROPIC_API_KEY=[redacted]",
    message: expect.stringContaining("code 3"),
  });
});
