import { Disposition, SessionStatus } from "@agentwire/api";
import { describe, expect, test } from "vitest";
import {
  agents,
  asked,
  cases,
  isIdle,
  newSession,
  shellAgent,
  start,
  status,
  upTo,
  withTinyDaemon,
} from "./tiny-daemon.ts";

withTinyDaemon();

describe("supervision", () => {
  test("an agent that exits silently fails the session, with its stderr in the error", async () => {
    const session = await newSession(await start({ agents: [shellAgent('echo "no key" >&2\nexit 3')] }));
    await session.send("hello", "me", null);
    const events = await upTo(session, status(SessionStatus.FAILED));
    const error = events.find(({ body }) => body.case === "error")?.body.value;
    expect(error).toMatchObject({
      code: "exited",
      fatal: true,
      stderrTail: expect.stringContaining("no key"),
    });
  }, 30_000);

  test("a killed agent is restarted for queued prompts; its question is orphaned and its prompt cut off", async () => {
    const session = await newSession(await start());
    await session.send("ask 1", "me", null);
    const before = await upTo(session, asked);
    await session.send("talk 1", "me", null);
    for (const pid of agents()) process.kill(pid, "SIGKILL");
    const events = await upTo(session, isIdle, Number(before.at(-1)?.seq));
    const decided = events.find(({ body }) => body.case === "permissionDecided")?.body.value;
    expect(decided).toMatchObject({ disposition: Disposition.ORPHANED });
    expect(events.some(status(SessionStatus.RECOVERING))).toBe(true);
    expect(cases(events).filter((name) => name === "turnComplete")).toHaveLength(1);
    expect(session.record.agentSessionId).toBe(session.record.id);
  }, 30_000);

  test("a frozen agent that ignores an interrupt is ended, and restarted for the next prompt", async () => {
    const session = await newSession(await start());
    await session.send("talk 100000", "me", null);
    await upTo(session, ({ body }) => body.case === "textDelta");
    const [pid = 0] = agents();
    process.kill(pid, "SIGSTOP");
    expect(await session.interrupt()).toEqual([]);
    const events = await upTo(session, isIdle);
    expect(cases(events)).toContain("promptChange");
    expect(agents()).not.toContain(pid);
    await session.send("talk 1", "me", null);
    const after = await upTo(session, isIdle, Number(events.at(-1)?.seq));
    expect(cases(after)).toContain("turnComplete");
  }, 60_000);

  test("the death of an agent is reported before the end of the prompt that it cut off", async () => {
    const session = await newSession(await start());
    await session.send("ask 1", "me", null);
    await upTo(session, asked);
    for (const pid of agents()) process.kill(pid, "SIGKILL");
    const told = cases(await upTo(session, status(SessionStatus.RECOVERING)));
    expect(told.slice(-3)).toEqual(["error", "promptChange", "statusChange"]);
  }, 30_000);

  test("an idle agent gives way to a waiting session", async () => {
    const daemon = await start({ maxProcesses: 1 });
    const [first, second] = [await newSession(daemon), await newSession(daemon)];
    await first.send("talk 1", "me", null);
    await upTo(first, isIdle);
    await second.send("talk 1", "me", null);
    await upTo(second, isIdle);
    expect(agents()).toHaveLength(1);
    await first.send("talk 1", "me", null);
    await upTo(first, isIdle, first.journal.lastSeq);
  }, 30_000);

  test("a session with many prompts does not block others forever", async () => {
    const daemon = await start({ maxProcesses: 1 });
    const [greedy, modest] = [await newSession(daemon), await newSession(daemon)];
    await greedy.send("talk 30", "me", null);
    await upTo(greedy, status(SessionStatus.RUNNING));
    await modest.send("talk 1", "me", null);
    for (let i = 0; i < 3; i++) await greedy.send("talk 30", "me", null);
    await upTo(modest, isIdle);
    expect(greedy.queueSize.prompts).toBeGreaterThan(0);
    await upTo(greedy, isIdle, greedy.journal.lastSeq);
    expect(greedy.queueSize.prompts).toBe(0);
  }, 30_000);

  test("sessions that wait for an answer do not block others, and continue when it arrives", async () => {
    const daemon = await start({ maxProcesses: 1 });
    const [first, second, third] = [
      await newSession(daemon),
      await newSession(daemon),
      await newSession(daemon),
    ];
    for (const session of [first, second]) {
      await session.send("ask 1", "me", null);
      await upTo(session, asked);
    }
    await third.send("talk 1", "me", null);
    await upTo(third, isIdle);
    expect(daemon.slots.processes).toBe(3);
    const [question] = first.openQuestions;
    const answer = { disposition: Disposition.ALLOWED, by: "me", answer: { behavior: "allow" } } as const;
    await first.settle(question?.id ?? "", answer);
    expect(cases(await upTo(first, isIdle))).toContain("turnComplete");
  }, 30_000);

  test("silence is not an error while a question is open", async () => {
    const session = await newSession(await start({ silenceMs: 300 }));
    await session.send("ask 1", "me", null);
    await upTo(session, asked);
    await new Promise((resolve) => setTimeout(resolve, 900));
    const [question] = session.openQuestions;
    await session.settle(question?.id ?? "", {
      disposition: Disposition.ALLOWED,
      by: "me",
      answer: { behavior: "allow" },
    });
    expect(cases(await upTo(session, isIdle))).not.toContain("error");
  }, 30_000);

  test("a prompt withdrawn while it waits for a slot leaves nothing behind", async () => {
    const daemon = await start({ maxProcesses: 1 });
    await daemon.slots.take(new AbortController().signal);
    const waiting = await newSession(daemon);
    const { promptId } = await waiting.send("talk 1", "me", null);
    await upTo(waiting, status(SessionStatus.WAITING));
    expect(await waiting.cancel(promptId)).toBe(true);
    await upTo(waiting, isIdle);
    expect(daemon.slots.waiting).toBe(0);
  }, 30_000);

  test("a spare process serves the next session of its kind, with its own session id", async () => {
    const daemon = await start({ spareProcesses: 1 });
    const first = await newSession(daemon);
    await first.send("talk 1", "me", null);
    await upTo(first, isIdle);
    await expect.poll(() => daemon.runner.warm, { timeout: 20_000 }).toBe(1);
    const second = await newSession(daemon);
    await second.send("talk 1", "me", null);
    await upTo(second, isIdle);
    expect(second.record.agentSessionId).not.toBe(second.record.id);
    expect(second.record.agentSessionId).not.toBe("");
  }, 30_000);
});
