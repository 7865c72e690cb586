import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Disposition, SessionStatus } from "@agentwire/api";
import { describe, expect, test } from "vitest";
import {
  agents,
  asked,
  echo,
  folder,
  HANDSHAKE,
  INIT,
  isIdle,
  logged,
  newSession,
  RESULT,
  shellAgent,
  start,
  status,
  upTo,
  WISH,
  withTinyDaemon,
} from "./tiny-daemon.ts";

withTinyDaemon();

/** Reads its input and never writes anything. */
const MUTE = "exec cat > /dev/null";
const statusesOf = (events: Awaited<ReturnType<typeof upTo>>) =>
  events.flatMap(({ body }) => (body.case === "statusChange" ? [body.value.status] : []));

describe("an agent that never answers the handshake", () => {
  test("is given up after five starts, each of them counted and logged", async () => {
    const daemon = await start({ agents: [shellAgent(MUTE)], startMs: 100 });
    const session = await newSession(daemon);
    await session.send("hello", "me", null);
    const events = await upTo(session, status(SessionStatus.FAILED));
    expect(events.at(-1)?.body.value).toMatchObject({
      reason: "the agent failed to start too often; the next prompt tries again",
    });
    const errors = events.flatMap(({ body }) => (body.case === "error" ? [body.value] : []));
    expect(errors.map(({ code, fatal }) => [code, fatal])).toEqual([
      ...Array.from({ length: 4 }, () => ["no_first_line", false]),
      ["no_first_line", true],
    ]);
    const about = { session_id: session.record.id, agent: session.record.agent };
    const lines = logged.filter(({ text }) => text === "an agent failed to start");
    expect(lines.map(({ fields }) => fields?.count)).toEqual([1, 2, 3, 4, 5]);
    expect(lines[0]).toMatchObject({
      level: "warn",
      fields: {
        ...about,
        code: "no_first_line",
        reason: expect.stringContaining("wrote nothing"),
        restart_in_ms: 500,
      },
    });
    expect(logged).toContainEqual(
      expect.objectContaining({
        level: "error",
        text: "a session has failed",
        fields: { ...about, reason: expect.stringContaining("failed to start too often") },
      }),
    );
    expect([daemon.metrics.restarts.total, daemon.metrics.failures.total]).toEqual([5, 1]);
  }, 40_000);

  test("is ended by an interrupt during its start, together with its prompt", async () => {
    const daemon = await start({ agents: [shellAgent(MUTE)] });
    const session = await newSession(daemon);
    await session.send("hello", "me", null);
    await upTo(session, status(SessionStatus.STARTING));
    expect(await session.interrupt()).toEqual([]);
    await upTo(session, isIdle);
    expect(session.queueSize.prompts).toBe(0);
    expect(daemon.slots.taken).toBe(0);
  }, 30_000);

  test("is not restarted after an interrupt between two starts", async () => {
    const session = await newSession(await start({ agents: [shellAgent(MUTE)], startMs: 100 }));
    await session.send("hello", "me", null);
    await upTo(session, status(SessionStatus.RECOVERING));
    expect(await session.interrupt()).toEqual([]);
    await upTo(session, isIdle);
    expect(session.queueSize.prompts).toBe(0);
  }, 30_000);
});

test("an agent that dies in the middle of a turn is restarted, and its session recovers before it becomes idle", async () => {
  const session = await newSession(await start());
  await session.send("ask 1", "me", null);
  const before = await upTo(session, asked);
  const [pid = 0] = agents();
  process.kill(pid, "SIGKILL");
  const events = await upTo(session, isIdle, Number(before.at(-1)?.seq));
  expect(statusesOf(events)).toEqual([
    SessionStatus.ASKING,
    SessionStatus.RECOVERING,
    SessionStatus.STARTING,
    SessionStatus.IDLE,
  ]);
  expect(agents()).toHaveLength(1);
  expect(agents()).not.toContain(pid);
  expect(logged).toContainEqual(
    expect.objectContaining({
      text: "an agent died",
      fields: expect.objectContaining({
        session_id: session.record.id,
        code: "killed",
        exit_signal: "SIGKILL",
      }),
    }),
  );
}, 30_000);

test("an agent that dies while idle leaves its session idle", async () => {
  const session = await newSession(await start());
  await session.send("talk 1", "me", null);
  await upTo(session, isIdle);
  const { lastSeq } = session.journal;
  for (const pid of agents()) process.kill(pid, "SIGKILL");
  await upTo(session, ({ body }) => body.case === "error", lastSeq);
  expect(session.record.status).toBe(SessionStatus.IDLE);
  expect(agents()).toEqual([]);
}, 30_000);

test("a session keeps the status asking while a question is open, even after the turn has ended", async () => {
  const request = {
    subtype: "can_use_tool",
    tool_name: "Bash",
    input: { command: "true" },
    tool_use_id: "t1",
  };
  const agent = shellAgent(`${HANDSHAKE}
    read -r prompt
    ${echo(INIT)}
    ${echo({ type: "control_request", request_id: "r1", request })}
    ${echo(RESULT)}
    exec cat > /dev/null`);
  const session = await newSession(await start({ agents: [agent], idleMs: 200 }));
  await session.send("hello", "me", null);
  const ended = await upTo(session, ({ body }) => body.case === "turnComplete");
  // Longer than an idle process is kept.
  await new Promise((resolve) => setTimeout(resolve, 600));
  expect(session.record.status).toBe(SessionStatus.ASKING);
  expect(session.openQuestions).toHaveLength(1);
  await session.settle(session.openQuestions[0]?.id ?? "", {
    disposition: Disposition.ALLOWED,
    by: "me",
    answer: { behavior: "allow" },
  });
  const rest = await upTo(session, isIdle, Number(ended.at(-1)?.seq));
  expect(statusesOf(rest)).toEqual([SessionStatus.IDLE]);
}, 30_000);

test("a client that reads nothing is evicted, logged by name and counted", async () => {
  const daemon = await start({ queueBytes: 1, stallMs: 10 });
  const session = await newSession(daemon);
  const stalled = session.watch("idle-client", 0);
  await stalled.pull();
  await session.send("talk 50", "me", null);
  await upTo(session, isIdle);
  expect(logged).toContainEqual(
    expect.objectContaining({
      level: "warn",
      text: "a client that read nothing was evicted",
      fields: { session_id: session.record.id, agent: session.record.agent, client: "idle-client" },
    }),
  );
  expect(daemon.metrics.evicted.total).toBeGreaterThan(0);
}, 30_000);

test("an agent that freezes while a tool is running is detected, ended and restarted", async () => {
  const call = { type: "tool_use", id: "t1", name: "Bash", input: { command: "make" } };
  const message = { id: "m", type: "message", role: "assistant", model: "m", content: [call], usage: {} };
  const agent = shellAgent(`${HANDSHAKE}
    read -r prompt
    ${echo(INIT)}
    ${echo({ type: "assistant", message, parent_tool_use_id: null })}
    kill -s STOP $$`);
  const session = await newSession(await start({ agents: [agent], silenceMs: 500 }));
  await session.send("hello", "me", null);
  const events = await upTo(session, status(SessionStatus.RECOVERING));
  expect(events.find(({ body }) => body.case === "error")?.body.value).toMatchObject({
    code: "silent",
    message: expect.stringContaining("frozen"),
  });
}, 30_000);

describe("an agent of a version that accepts only prompts", () => {
  /** Records its arguments, and ends each turn once a file `go` exists. */
  const OLD = `echo "$@" >> argv
    while read -r prompt; do
      ${echo(INIT)}
      until [ -e go ]; do sleep 0.05; done
      ${echo(RESULT)}
    done`;
  const argv = () => readFileSync(join(folder, "argv"), "utf8").trim().split("\n");

  test("is restarted to change the model when idle, and refuses the change during a turn", async () => {
    const session = await newSession(await start({ agents: [shellAgent(OLD, "1.0.22")] }));
    await session.send("one", "me", null);
    await upTo(session, status(SessionStatus.RUNNING));
    await expect(session.setModel("other")).rejects.toMatchObject({
      code: "AGENT_FAILED",
      message: expect.stringContaining("can't change its model during a turn"),
    });
    expect(session.record.model).toBe("");
    writeFileSync(join(folder, "go"), "");
    await upTo(session, isIdle);
    await session.setModel("other");
    const { lastSeq } = session.journal;
    await session.send("two", "me", null);
    await upTo(session, isIdle, lastSeq);
    expect(argv()).toEqual([
      expect.not.stringContaining("--model"),
      expect.stringMatching(/--model=other .*--resume=s/),
    ]);
  }, 30_000);

  test("has no permission modes, and a session that needs one reports it", async () => {
    writeFileSync(join(folder, "go"), "");
    const daemon = await start({ agents: [shellAgent(OLD, "1.0.22")] });
    const session = await newSession(daemon);
    await session.send("one", "me", null);
    await upTo(session, isIdle);
    await expect(session.setMode("plan", "me")).rejects.toMatchObject({ code: "AGENT_FAILED" });
    const planned = await daemon.registry.create({ ...WISH, cwd: folder, mode: "plan" });
    await planned.send("one", "me", null);
    const events = await upTo(planned, status(SessionStatus.FAILED));
    expect(events.find(({ body }) => body.case === "error")?.body.value).toMatchObject({
      message: expect.stringContaining("has no permission mode plan"),
    });
  }, 30_000);
});
