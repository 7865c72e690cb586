import { Disposition, SessionStatus } from "@agentwire/api";
import { describe, expect, test } from "vitest";
import {
  agents,
  asked,
  isIdle,
  logged,
  newSession,
  shellAgent,
  start,
  status,
  upTo,
  withTinyDaemon,
} from "./tiny-daemon.ts";

withTinyDaemon();

/** Reads and never says a word. */
const MUTE = "exec cat > /dev/null";
const statusesOf = (events: Awaited<ReturnType<typeof upTo>>) =>
  events.flatMap(({ body }) => (body.case === "statusChange" ? [body.value.status] : []));

describe("an agent that never answers the handshake", () => {
  test("is given up after five starts, and each of them is counted and logged", async () => {
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

  test("is ended by an interrupt while it is being started, and its prompt with it", async () => {
    const daemon = await start({ agents: [shellAgent(MUTE)] });
    const session = await newSession(daemon);
    await session.send("hello", "me", null);
    await upTo(session, status(SessionStatus.STARTING));
    expect(await session.interrupt()).toEqual([]);
    await upTo(session, isIdle);
    expect(session.queueSize.prompts).toBe(0);
    expect(daemon.slots.taken).toBe(0);
  }, 30_000);

  test("is not started again after an interrupt between two starts", async () => {
    const session = await newSession(await start({ agents: [shellAgent(MUTE)], startMs: 100 }));
    await session.send("hello", "me", null);
    await upTo(session, status(SessionStatus.RECOVERING));
    expect(await session.interrupt()).toEqual([]);
    await upTo(session, isIdle);
    expect(session.queueSize.prompts).toBe(0);
  }, 30_000);
});

test("an agent that dies in the middle of a turn is started again, and the session recovers before it rests", async () => {
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

test("an agent that dies with nothing to do leaves its session at rest", async () => {
  const session = await newSession(await start());
  await session.send("talk 1", "me", null);
  await upTo(session, isIdle);
  const { lastSeq } = session.journal;
  for (const pid of agents()) process.kill(pid, "SIGKILL");
  await upTo(session, ({ body }) => body.case === "error", lastSeq);
  expect(session.record.status).toBe(SessionStatus.IDLE);
  expect(agents()).toEqual([]);
}, 30_000);

test("a session asks for as long as a question is open, also when the turn has ended", async () => {
  const say = (message: object) => `echo '${JSON.stringify({ uuid: "u", session_id: "s", ...message })}'`;
  const agent = shellAgent(`
    read -r line
    id=$(echo "$line" | sed 's/.*"request_id":"\\([^"]*\\)".*/\\1/')
    echo '{"type":"control_response","response":{"subtype":"success","request_id":"'$id'","response":{}}}'
    read -r prompt
    ${say({ type: "system", subtype: "init", cwd: "/", model: "m", tools: ["Bash"], mcp_servers: [], permissionMode: "default" })}
    ${say({ type: "control_request", request_id: "r1", request: { subtype: "can_use_tool", tool_name: "Bash", input: { command: "true" }, tool_use_id: "t1" } })}
    ${say({ type: "result", subtype: "success", is_error: false, result: "", duration_ms: 1, num_turns: 1, total_cost_usd: 0, usage: {}, modelUsage: {} })}
    exec cat > /dev/null`);
  const session = await newSession(await start({ agents: [agent], idleMs: 200 }));
  await session.send("hello", "me", null);
  const ended = await upTo(session, ({ body }) => body.case === "turnComplete");
  // Longer than a process with nothing to do is kept.
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

test("a client that reads nothing is evicted, which is logged with its name and counted", async () => {
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
