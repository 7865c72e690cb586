import { Disposition, RuleScope, SessionStatus } from "@agentwire/api";
import { DatabaseSync } from "@photostructure/sqlite";
import { describe, expect, test } from "vitest";
import {
  agents,
  asked,
  cases,
  folder,
  isIdle,
  newSession,
  numbers,
  start,
  upTo,
  WISH,
  withTinyDaemon,
} from "./tiny-daemon.ts";

withTinyDaemon();

describe("a session", () => {
  test("that is not used is unloaded, and reloaded completely", async () => {
    const daemon = await start({ idleMs: 1 });
    const session = await newSession(daemon);
    await session.send("talk 2", "me", "key");
    const events = await upTo(session, isIdle);
    while (!session.isUnused) await new Promise((resolve) => setTimeout(resolve, 20));
    daemon.registry.sweep();
    expect(daemon.registry.live).toHaveLength(1);
    daemon.registry.sweep();
    expect(daemon.registry.live).toHaveLength(0);
    const again = await daemon.registry.get(session.record.id);
    expect(numbers(await upTo(again, isIdle))).toEqual(
      numbers(events.filter(({ body }) => !body.case?.endsWith("Delta"))),
    );
    expect(await again.send("talk 2", "me", "key")).toMatchObject({ isNew: false });
  }, 30_000);

  test("starts its agent while its first prompt is being stored", async () => {
    const daemon = await start();
    const session = await daemon.registry.create({
      ...WISH,
      cwd: folder,
      begin: async (created) => {
        while (agents().length === 0) await new Promise((resolve) => setTimeout(resolve, 20));
        await created.send("talk 2", "me", null);
      },
    });
    expect(agents()).toHaveLength(1);
    const events = await upTo(session, isIdle);
    expect(cases(events)).toContain("turnComplete");
    expect(cases(events)[0]).toBe("userInput");
    expect(agents()).toHaveLength(1);
  }, 30_000);

  test("whose first prompt is refused leaves no agent and no slot in use", async () => {
    const daemon = await start();
    const creating = daemon.registry.create({
      ...WISH,
      cwd: folder,
      begin: () => Promise.reject(new Error("refused")),
    });
    await expect(creating).rejects.toThrow("refused");
    while (daemon.runner.slots.processes > 0) await new Promise((resolve) => setTimeout(resolve, 20));
    const [session] = daemon.registry.live;
    await session?.send("talk 2", "me", null);
    if (session) expect(cases(await upTo(session, isIdle))).toContain("turnComplete");
  }, 30_000);

  test("can be forked: the copy has the history, its own id and its own future", async () => {
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

  test("that is forked while working yields an idle copy that says so", async () => {
    const daemon = await start();
    const session = await newSession(daemon);
    await session.send("ask 1", "me", null);
    await upTo(session, asked);
    // It is queued behind the question, and the copy contains everything before it.
    await session.send("ask 1", "me", null);
    const [question] = session.openQuestions;
    const allowed = { disposition: Disposition.ALLOWED, by: "me", answer: { behavior: "allow" } } as const;
    await session.settle(question?.id ?? "", allowed);
    await upTo(session, ({ body }) => body.case === "turnComplete");
    const copy = await daemon.registry.fork(session.record.id, "copy");
    const copied = await upTo(copy, isIdle);
    expect(copied.at(-1)?.body.value).toMatchObject({ reason: "it is a copy" });
    expect(copy.facts.record.status).toBe(SessionStatus.IDLE);
  }, 30_000);

  test("that is deleted in the middle of a turn can be restored, and answers the prompts it had accepted", async () => {
    const daemon = await start();
    const session = await newSession(daemon);
    const { id } = session.record;
    await session.send("ask 1", "me", null);
    await upTo(session, asked);
    const { promptId } = await session.send("talk 1", "me", null);
    await daemon.registry.remove(id);
    await expect(daemon.registry.get(id)).rejects.toThrow();
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

  test("keeps its model when the agent rejects another; an accepted one outlives the process", async () => {
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

  test("created twice at once under one key is created once", async () => {
    const daemon = await start();
    const wish = { ...WISH, cwd: folder, idempotencyKey: "one" };
    const [one, other] = await Promise.all([daemon.registry.create(wish), daemon.registry.create(wish)]);
    expect(one).toBe(other);
  }, 30_000);

  test("continues without a gap after the store rejected some of its events", async () => {
    const daemon = await start();
    const session = await newSession(daemon);
    const { id } = session.record;
    await session.send("talk 1", "me", null);
    await upTo(session, isIdle);
    const saboteur = new DatabaseSync(daemon.store.place);
    saboteur.exec("CREATE TRIGGER no BEFORE INSERT ON events BEGIN SELECT RAISE(ABORT, 'no'); END");
    const refused = [session.send("talk 1", "me", "a"), session.send("talk 1", "me", "b")];
    for (const sending of refused) await expect(sending).rejects.toThrow();
    saboteur.exec("DROP TRIGGER no");
    saboteur.close();
    while ((await daemon.registry.get(id)) === session)
      await new Promise((resolve) => setTimeout(resolve, 50));
    const again = await daemon.registry.get(id);
    await again.send("talk 1", "me", "a");
    const events = await upTo(again, isIdle, session.journal.lastSeq);
    expect(events[0]).toMatchObject({
      seq: BigInt(session.journal.lastSeq + 1),
      body: { case: "userInput" },
    });
  }, 60_000);

  test("whose input holder has left accepts prompts from every client again", async () => {
    const session = await newSession(await start());
    const streams = [session.watch("holder", 0), session.watch("holder", 0)];
    session.input.take("holder", false);
    streams[0]?.close();
    expect(session.input.holder).toBe("holder");
    streams[1]?.close();
    expect(session.input.holder).toBe("");
  }, 30_000);

  test("has its open question answered by a rule added in the meantime", async () => {
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
