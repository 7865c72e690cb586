import { spawn } from "node:child_process";
import { EventEmitter } from "node:events";
import { PassThrough } from "node:stream";
import { setTimeout as wait } from "node:timers/promises";
import { expect, test } from "vitest";
import type { SpawnedProcess, SpawnOptions } from "../../src/sdk/process.ts";
import { openSession } from "../../src/session/session.ts";
import { FRAMES, linkTo, PROMPT, timed, typesOf } from "../programs/shell-agent.ts";

test("an agent that the caller starts is driven like any other, and stopped in the caller's way", {
  timeout: 30_000,
}, async () => {
  const asked: SpawnOptions[] = [];
  const link = linkTo("next; init; result; sleep 60", {
    cwd: "/",
    spawn(options) {
      asked.push(options);
      const { command, args, cwd, env } = options;
      return spawn(command, args, { cwd, env: env as NodeJS.ProcessEnv, stdio: ["pipe", "pipe", "ignore"] });
    },
  });
  expect(asked).toMatchObject([{ command: "sh", cwd: "/", env: { PATH: process.env.PATH } }]);
  link.send(PROMPT);
  await link.settled();
  expect(asked[0]?.signal.aborted).toBe(false);
  expect(await link.close()).toMatchObject({ exitSignal: "SIGTERM" });
  expect(asked[0]?.signal.aborted).toBe(true);
});

/** Stands in for an agent in a container: streams and an exit, but no process. */
class Remote extends EventEmitter implements SpawnedProcess {
  readonly stdin = new PassThrough();
  readonly stdout = new PassThrough();
  readonly signals: NodeJS.Signals[] = [];
  killed = false;
  exitCode: number | null = null;

  kill(signal: NodeJS.Signals): boolean {
    this.signals.push(signal);
    this.killed = true;
    return true;
  }

  /** Answers the first prompt with a turn and exits. */
  answerOnce(): void {
    this.stdin.once("data", () => {
      this.stdout.end(`${FRAMES.init}\n${FRAMES.result}\n`);
      this.emit("exit", 0, null);
    });
  }
}

test("an agent without a process needs only streams and an exit", { timeout: 30_000 }, async () => {
  const remote = new Remote();
  remote.answerOnce();
  const link = linkTo("", { spawn: () => remote });
  link.send(PROMPT);
  expect(await typesOf(link)).toEqual(["system", "result"]);
  expect(link.pid).toBeUndefined();
  expect(await link.ended).not.toHaveProperty("error");
});

test("an agent whose output has an encoding set is read like any other", { timeout: 30_000 }, async () => {
  const remote = new Remote();
  remote.stdout.setEncoding("utf8");
  remote.stdin.once("data", () => {
    const bytes = Buffer.from(`${FRAMES.init}\n${FRAMES.text.replace("hi", "né")}\n${FRAMES.result}\n`);
    const middle = bytes.indexOf("é") + 1;
    remote.stdout.write(bytes.subarray(0, middle));
    remote.stdout.end(bytes.subarray(middle));
    remote.emit("exit", 0, null);
  });
  const link = linkTo("", { spawn: () => remote });
  link.send(PROMPT);
  const said: unknown[] = [];
  for await (const message of link.messages) said.push(message);
  expect(said).toMatchObject([
    { type: "system" },
    { message: { content: [{ text: "né" }] } },
    { type: "result" },
  ]);
});

test("output that still arrives after a remote exit is waited for", {
  timeout: 30_000,
}, async () => {
  const remote = new Remote();
  const link = linkTo("", { spawn: () => remote });
  remote.emit("exit", 0, null);
  for (let sent = 0; sent < 25; sent++) {
    remote.stdout.write('{"type":"keep_alive"}\n');
    await wait(100);
  }
  remote.stdout.end();
  expect(await typesOf(link)).toHaveLength(25);
});

test("a process object without an exit state counts as running", {
  timeout: 30_000,
}, async () => {
  const remote = Object.assign(new Remote(), { exitCode: undefined }) as unknown as Remote;
  remote.answerOnce();
  const link = linkTo("", { spawn: () => remote });
  link.send(PROMPT);
  expect(await typesOf(link)).toEqual(["system", "result"]);
});

test("an agent that can't be stopped is given up after every attempt failed", {
  timeout: 30_000,
}, async () => {
  const remote = new Remote();
  const link = linkTo("", { spawn: () => remote, deadlines: { closeMs: 50, terminateMs: 50 } });
  const { value, ms } = await timed(() => link.close());
  expect(value).toMatchObject({ exitCode: null, exitSignal: null });
  expect(remote.signals).toEqual(["SIGTERM", "SIGKILL"]);
  expect(ms).toBeLessThan(3000);
});

test("a broken stream of an agent is an error", { timeout: 30_000 }, async () => {
  const remote = new Remote();
  const link = linkTo("", { spawn: () => remote, deadlines: { terminateMs: 100 } });
  remote.stdout.destroy(new Error("the connection to the container was lost"));
  const lost = { message: "the connection to the container was lost" };
  expect((await link.ended).error).toMatchObject({ code: "output_closed", cause: { cause: lost } });
});

test("a session that runs elsewhere looks for no program here", { timeout: 30_000 }, async () => {
  const asked: string[] = [];
  const remote = new Remote();
  remote.stdin.once("data", (bytes: Buffer) => {
    const { request_id } = JSON.parse(String(bytes));
    const response = { subtype: "success", request_id, response: {} };
    remote.stdout.write(`${JSON.stringify({ type: "control_response", response })}\n`);
  });
  remote.stdin.once("finish", () => {
    remote.stdout.end();
    remote.emit("exit", 0, null);
  });
  const session = await openSession({
    env: {},
    spawn({ command }) {
      asked.push(command);
      return remote;
    },
  });
  expect(asked).toEqual(["claude"]);
  expect(session.agent).toEqual({ path: "claude", dialect: "claude" });
  expect(await session.drain()).toMatchObject({ exitCode: 0 });
});
