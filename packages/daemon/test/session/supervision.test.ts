import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Disposition, type Event, EventSchema, RuleScope, SessionStatus } from "@agentwire/api";
import { silentLog } from "@agentwire/protocol";
import { fromBinary } from "@bufbuild/protobuf";
import { DatabaseSync } from "@photostructure/sqlite";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type DaemonConfig, defaultConfig } from "../../src/config.ts";
import { type RunningDaemon, startDaemon } from "../../src/daemon.ts";
import type { Session } from "../../src/session/session.ts";

const TINY = fileURLToPath(new URL("../chaos/tiny-agent.mjs", import.meta.url));

let folder: string;
let running: RunningDaemon | undefined;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "agentwire-supervision-"));
});
afterEach(async () => {
  await running?.stop();
  running = undefined;
  rmSync(folder, { recursive: true });
});

async function start(changes: Partial<DaemonConfig> = {}) {
  const env = { PATH: process.env.PATH, HOME: folder, AGENTWIRE_HOME: folder, TINY_HOME: folder };
  const agents = [{ name: "tiny", path: TINY }];
  const config = { ...defaultConfig(env, folder), agents, spareProcesses: 0, ...changes };
  running = await startDaemon(config, silentLog);
  return running.daemon;
}

const WISH = { title: "", cwd: "", agent: "", model: "", mode: "default", idempotencyKey: null };
const newSession = async (daemon: RunningDaemon["daemon"]) =>
  daemon.registry.create({ ...WISH, cwd: folder });

/** Everything from a number on, up to the first event that fits. */
async function upTo(session: Session, isLast: (event: Event) => boolean, after = 0): Promise<Event[]> {
  const subscriber = session.watch("test", after);
  const seen: Event[] = [];
  try {
    for (;;) {
      const delivery = await subscriber.pull();
      if (!delivery) throw new Error(`the stream has ended after ${seen.map(({ body }) => body.case)}`);
      for (const { body } of delivery.events) {
        const event = fromBinary(EventSchema, body);
        seen.push(event);
        if (isLast(event)) return seen;
      }
    }
  } finally {
    subscriber.close();
  }
}
const status =
  (wanted: SessionStatus) =>
  ({ body }: Event) =>
    body.case === "statusChange" && body.value.status === wanted;
const isIdle = status(SessionStatus.IDLE);
const asked = ({ body }: Event) => body.case === "permissionAsked";
const cases = (events: readonly Event[]) => events.map(({ body }) => body.case);
const numbers = (events: readonly Event[]) => events.map(({ seq }) => Number(seq));
/** The agents of this folder that run now. */
const agents = () =>
  readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => {
      try {
        const isTiny = readFileSync(`/proc/${pid}/cmdline`, "utf8").includes(TINY);
        return isTiny && readFileSync(`/proc/${pid}/environ`, "utf8").includes(`TINY_HOME=${folder}\0`);
      } catch {
        return false;
      }
    })
    .map(Number);

describe("supervision", () => {
  test("an agent that goes without a word fails the session, with what it wrote to stderr", async () => {
    const path = join(folder, "mute");
    writeFileSync(
      path,
      '#!/bin/sh\n[ "$1" = --version ] && { echo "2.1.325 (Claude Code)"; exit; }\necho "no key" >&2\nexit 3\n',
    );
    chmodSync(path, 0o755);
    const session = await newSession(await start({ agents: [{ name: "mute", path }] }));
    await session.send("hello", "me", null);
    const events = await upTo(session, status(SessionStatus.FAILED));
    const error = events.find(({ body }) => body.case === "error")?.body.value;
    expect(error).toMatchObject({
      code: "exited",
      fatal: true,
      stderrTail: expect.stringContaining("no key"),
    });
  }, 30_000);

  test("an agent that is killed is started again for what waits; its question is orphaned and its prompt cut off", async () => {
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

  test("an idle agent gives way to a session that waits", async () => {
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

  test("a session with many prompts does not keep others waiting for ever", async () => {
    const daemon = await start({ maxProcesses: 1 });
    const [greedy, modest] = [await newSession(daemon), await newSession(daemon)];
    await greedy.send("talk 30", "me", null);
    await upTo(greedy, status(SessionStatus.RUNNING));
    await modest.send("talk 1", "me", null);
    for (let i = 0; i < 3; i++) await greedy.send("talk 30", "me", null);
    await upTo(modest, isIdle);
    expect(greedy.queuedPrompts).toBeGreaterThan(0);
    await upTo(greedy, isIdle, greedy.journal.lastSeq);
    expect(greedy.queuedPrompts).toBe(0);
  }, 30_000);

  test("silence is no fault while a question is open", async () => {
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

  test("a prompt that is taken back while it waits for a place leaves nothing behind", async () => {
    const daemon = await start({ maxProcesses: 1 });
    const [busy, waiting] = [await newSession(daemon), await newSession(daemon)];
    await busy.send("ask 1", "me", null);
    await upTo(busy, asked);
    const { promptId } = await waiting.send("talk 1", "me", null);
    await upTo(waiting, status(SessionStatus.WAITING));
    expect(await waiting.cancel(promptId)).toBe(true);
    await upTo(waiting, isIdle);
    expect(daemon.slots.waiting).toBe(0);
  }, 30_000);

  test("a spare process serves the next session of its kind, under a name of its own", async () => {
    const daemon = await start({ spareProcesses: 1 });
    const first = await newSession(daemon);
    await first.send("talk 1", "me", null);
    await upTo(first, isIdle);
    const second = await newSession(daemon);
    await second.send("talk 1", "me", null);
    await upTo(second, isIdle);
    expect(second.record.agentSessionId).not.toBe(second.record.id);
    expect(second.record.agentSessionId).not.toBe("");
  }, 30_000);
});

describe("a session", () => {
  test("that nobody uses leaves memory, and comes back whole", async () => {
    const daemon = await start({ idleMs: 1 });
    const session = await newSession(daemon);
    await session.send("talk 2", "me", "key");
    const events = await upTo(session, isIdle);
    while (!session.isUnused) await new Promise((resolve) => setTimeout(resolve, 20));
    daemon.registry.sweep();
    expect(daemon.registry.live).toHaveLength(1);
    daemon.registry.sweep();
    expect(daemon.registry.live).toHaveLength(0);
    const again = daemon.registry.get(session.record.id);
    expect(numbers(await upTo(again, isIdle))).toEqual(
      numbers(events.filter(({ body }) => !body.case?.endsWith("Delta"))),
    );
    expect(await again.send("talk 2", "me", "key")).toMatchObject({ isNew: false });
  }, 30_000);

  test("can be forked: the copy has the history, a name and a future of its own", async () => {
    const daemon = await start();
    const session = await newSession(daemon);
    await session.send("talk 2", "me", null);
    const history = await upTo(session, isIdle);
    await session.send("ask 1", "me", null);
    await upTo(session, asked);
    const copy = await daemon.registry.fork(session.record.id, "copy");
    const copied = await upTo(copy, isIdle);
    expect(numbers(copied)).toEqual(numbers(history.filter(({ body }) => !body.case?.endsWith("Delta"))));
    expect(new Set(copied.map(({ sessionId }) => sessionId))).toEqual(new Set([copy.record.id]));
    const { seq } = await copy.send("talk 1", "me", null);
    expect(seq).toBe(Number(copied.at(-1)?.seq) + 1);
    await upTo(copy, isIdle, seq);
    expect(copy.record.agentSessionId).toBe(copy.record.id);
    expect(session.openQuestions).toHaveLength(1);
  }, 30_000);

  test("that is deleted in the middle of a turn can be restored, and answers what it had accepted", async () => {
    const daemon = await start();
    const session = await newSession(daemon);
    const { id } = session.record;
    await session.send("ask 1", "me", null);
    await upTo(session, asked);
    const { promptId } = await session.send("talk 1", "me", null);
    await daemon.registry.remove(id);
    expect(() => daemon.registry.get(id)).toThrow();
    await expect(session.send("talk 1", "me", null)).rejects.toMatchObject({ code: "SHUTTING_DOWN" });
    const restored = await daemon.registry.restore(id);
    const events = await upTo(
      restored,
      ({ body }) =>
        body.case === "promptChange" && body.value.promptId === promptId && body.value.state === 3,
    );
    const all = numbers(events);
    expect(new Set(all).size).toBe(all.length);
  }, 30_000);

  test("keeps its model when the agent refuses another, and one that is accepted outlives the process", async () => {
    const daemon = await start();
    const session = await newSession(daemon);
    await session.send("talk 1", "me", null);
    await upTo(session, isIdle);
    await expect(session.setModel("bad")).rejects.toThrow("no such model");
    expect(session.record.model).toBe("");
    await session.setModel("good");
    await session.rename("named");
    await daemon.registry.remove(session.record.id);
    const { record } = await daemon.registry.restore(session.record.id);
    expect(record).toMatchObject({ model: "good", title: "named" });
  }, 30_000);

  test("that is made twice at once under one key is made once", async () => {
    const daemon = await start();
    const wish = { ...WISH, cwd: folder, idempotencyKey: "one" };
    const [one, other] = await Promise.all([daemon.registry.create(wish), daemon.registry.create(wish)]);
    expect(one).toBe(other);
  }, 30_000);

  test("goes on without a hole after the store has refused some of it", async () => {
    const daemon = await start();
    const session = await newSession(daemon);
    const { id } = session.record;
    await session.send("talk 1", "me", null);
    await upTo(session, isIdle);
    const saboteur = new DatabaseSync(daemon.writer.path);
    saboteur.exec("CREATE TRIGGER no BEFORE INSERT ON events BEGIN SELECT RAISE(ABORT, 'no'); END");
    const refused = [session.send("talk 1", "me", "a"), session.send("talk 1", "me", "b")];
    for (const sending of refused) await expect(sending).rejects.toThrow();
    saboteur.exec("DROP TRIGGER no");
    saboteur.close();
    while (daemon.registry.get(id) === session) await new Promise((resolve) => setTimeout(resolve, 50));
    const again = daemon.registry.get(id);
    await again.send("talk 1", "me", "a");
    const events = await upTo(again, isIdle, session.journal.lastSeq);
    expect(events[0]).toMatchObject({
      seq: BigInt(session.journal.lastSeq + 1),
      body: { case: "userInput" },
    });
  }, 60_000);

  test("whose input holder has left takes prompts from everyone again", async () => {
    const session = await newSession(await start());
    const streams = [session.watch("holder", 0), session.watch("holder", 0)];
    session.input.take("holder", false);
    streams[0]?.close();
    expect(session.input.holder).toBe("holder");
    streams[1]?.close();
    expect(session.input.holder).toBe("");
  }, 30_000);

  test("gets an answer to its open question from a rule that is kept meanwhile", async () => {
    const daemon = await start();
    const session = await newSession(daemon);
    await session.send("ask 1", "me", null);
    await upTo(session, asked);
    await daemon.rules.set({
      rule: "Bash(true)",
      behavior: "allow",
      scope: RuleScope.USER,
      owner: "",
      createdBy: "me",
    });
    await daemon.registry.reconsider();
    const events = await upTo(session, isIdle);
    const decided = events.find(({ body }) => body.case === "permissionDecided")?.body.value;
    expect(decided).toMatchObject({
      disposition: Disposition.ALLOWED,
      decidedBy: "rule",
      rule: "Bash(true)",
    });
  }, 30_000);

  test("whose question two clients decide at once follows the first, and tells the second so once it is stored", async () => {
    const session = await newSession(await start());
    await session.send("ask 1", "me", null);
    await upTo(session, asked);
    const [question] = session.openQuestions;
    const decide = (disposition: Disposition.ALLOWED | Disposition.DENIED, by: string) =>
      session.settle(question?.id ?? "", {
        disposition,
        by,
        answer: { behavior: "deny", message: by },
      });
    expect(await Promise.all([decide(Disposition.ALLOWED, "a"), decide(Disposition.DENIED, "b")])).toEqual([
      true,
      false,
    ]);
    const events = await upTo(session, isIdle);
    expect(events.filter(({ body }) => body.case === "permissionDecided")).toHaveLength(1);
  }, 30_000);
});
