import { type Event, SessionService } from "@agentwire/api";
import { timestampMs } from "@bufbuild/protobuf/wkt";
import { createClient } from "@connectrpc/connect";
import { createConnectTransport } from "@connectrpc/connect-node";
import { afterEach, describe, expect, test, vi } from "vitest";
import { recover } from "../../src/session/recovery.ts";
import type { StoredSession } from "../../src/store/store.ts";
import { newRecord, withStore } from "../store/place.ts";
import { asked, isIdle, newSession, start, upTo, withTinyDaemon } from "./tiny-daemon.ts";

withTinyDaemon();
afterEach(() => void vi.useRealTimers());
const place = withStore();

/** Two named clients of one session; the first holds the input. */
async function ownerAndGuest(handOverMs = 60_000) {
  const daemon = await start({ handOverMs });
  const transport = createConnectTransport({
    baseUrl: "http://localhost",
    httpVersion: "1.1",
    nodeOptions: { socketPath: daemon.config.socketPath },
  });
  const sessions = createClient(SessionService, transport);
  const session = await newSession(daemon);
  const sessionId = session.record.id;
  const as = (client: string) => ({ headers: { "agentwire-client": client } });
  await sessions.takeInput({ sessionId }, as("owner"));
  return { sessions, session, sessionId, owner: as("owner"), guest: as("guest") };
}

const held =
  (by: string) =>
  ({ body }: Event) =>
    body.case === "inputHolderChange" && body.value.client === by;
const isRequest = ({ body }: Event) => body.case === "inputRequest";
const isRefusal = ({ body }: Event) => body.case === "inputRefusal";
const last = (events: readonly Event[]) => events.at(-1)?.body.value;

describe("the input of a session", () => {
  test("is handed over to a client that requests it, if the holder agrees", async () => {
    const { sessions, session, sessionId, owner, guest } = await ownerAndGuest();
    const prompt = { sessionId, text: "talk 1" };
    await expect(sessions.sendPrompt(prompt, guest)).rejects.toThrow(
      /owner holds the input; ask them for it/,
    );
    const asked = await sessions.requestInput({ sessionId }, guest);
    expect(asked).toMatchObject({ taken: false, holder: "owner" });
    expect(asked.expiresAt && timestampMs(asked.expiresAt)).toBeGreaterThan(Date.now());
    expect(last(await upTo(session, isRequest))).toMatchObject({ client: "guest", holder: "owner" });
    expect(await sessions.handOverInput({ sessionId }, owner)).toMatchObject({ holder: "guest" });
    expect(last(await upTo(session, held("guest")))).toMatchObject({
      previous: "owner",
      reason: "the holder handed it over",
    });
    await expect(sessions.sendPrompt(prompt, owner)).rejects.toThrow(/guest holds the input/);
    await sessions.sendPrompt(prompt, guest);
  }, 30_000);

  test("stays with a holder who refuses; the requester is notified and may ask again", async () => {
    const { sessions, session, sessionId, owner, guest } = await ownerAndGuest();
    await sessions.requestInput({ sessionId }, guest);
    expect(await sessions.handOverInput({ sessionId, to: "guest", refuse: true }, owner)).toMatchObject({
      holder: "owner",
    });
    const refusal = (await upTo(session, isRefusal)).at(-1);
    expect(refusal?.body.value).toMatchObject({
      client: "guest",
      holder: "owner",
      reason: "it was refused",
    });
    await expect(sessions.handOverInput({ sessionId }, owner)).rejects.toThrow(/no client of that name/);
    await sessions.requestInput({ sessionId }, guest);
    await upTo(session, isRequest, Number(refusal?.seq));
  }, 30_000);

  test("is lost by a holder who does not answer in time; a repeated request does not change the deadline", async () => {
    const { sessions, session, sessionId, guest } = await ownerAndGuest(400);
    const first = await sessions.requestInput({ sessionId }, guest);
    expect(await sessions.requestInput({ sessionId }, guest)).toEqual(first);
    const events = await upTo(session, held("guest"));
    expect(last(events)).toMatchObject({ reason: "the holder did not answer in time" });
    expect(events.filter(isRequest)).toHaveLength(1);
  }, 30_000);

  test.each([
    ["gives it back", "the holder gave it up"],
    ["leaves", "the holder left"],
  ])(
    "goes to the first client that requested it when the holder %s",
    async (how, reason) => {
      const { sessions, session, sessionId, owner, guest } = await ownerAndGuest();
      const watching = session.watch("owner", 0);
      await sessions.requestInput({ sessionId }, guest);
      await sessions.requestInput({ sessionId, client: "another" });
      if (how === "leaves") watching.close();
      else await sessions.releaseInput({ sessionId }, owner);
      expect(last(await upTo(session, held("guest")))).toMatchObject({ previous: "owner", reason });
      await sessions.releaseInput({ sessionId }, guest);
      await upTo(session, held(""));
    },
    30_000,
  );

  test("is not given to a client that requested it and left, and the holder is notified", async () => {
    const { sessions, session, sessionId, owner, guest } = await ownerAndGuest();
    const watching = session.watch("guest", 0);
    await sessions.requestInput({ sessionId }, guest);
    watching.close();
    const told = { client: "guest", holder: "owner", reason: "they left" };
    expect(last(await upTo(session, isRefusal))).toMatchObject(told);
    await sessions.releaseInput({ sessionId }, owner);
    expect((await upTo(session, held(""))).some(held("guest"))).toBe(false);
  }, 30_000);

  test("can only be handed over by its holder, and is taken at once if there is none", async () => {
    const { sessions, sessionId, owner, guest } = await ownerAndGuest();
    await sessions.requestInput({ sessionId }, guest);
    await expect(sessions.handOverInput({ sessionId }, guest)).rejects.toThrow(/you do not hold the input/);
    await sessions.handOverInput({ sessionId, refuse: true }, owner);
    await sessions.releaseInput({ sessionId }, owner);
    expect(await sessions.requestInput({ sessionId }, guest)).toMatchObject({ taken: true, holder: "guest" });
  }, 30_000);

  test.each([
    ["is held", false],
    ["was released after the copied part", true],
  ])(
    "is free in a copy, and watchers are notified, if that of the original %s",
    async (_when, isReleased) => {
      const daemon = await start();
      const session = await newSession(daemon);
      session.input.take("owner", false);
      await session.send("talk 1", "owner", null);
      await upTo(session, isIdle);
      await session.send("ask 1", "owner", null);
      await upTo(session, asked);
      if (isReleased) session.input.release("owner");
      await session.journal.quiet();
      const copy = await daemon.registry.fork(session.record.id, "copy");
      expect(copy.input.holder).toBe("");
      const told = await upTo(copy, ({ seq }) => Number(seq) === copy.journal.lastSeq);
      const changes = told.filter(({ body }) => body.case === "inputHolderChange");
      expect(last(changes)).toMatchObject({ client: "", previous: "owner", reason: "it is a copy" });
    },
    30_000,
  );

  test("is lost by a holder who neither watches nor acts, and the session is unloaded", async () => {
    const daemon = await start();
    const session = await newSession(daemon);
    vi.useFakeTimers({ toFake: ["performance"] });
    session.input.take("owner", false);
    await session.journal.quiet();
    vi.advanceTimersByTime(590_000);
    session.input.mustHold("owner");
    vi.advanceTimersByTime(590_000);
    daemon.registry.sweep();
    expect(session.input.holder).toBe("owner");
    const watching = session.watch("guest", 0);
    vi.advanceTimersByTime(20_000);
    daemon.registry.sweep();
    // A watcher could still request it.
    expect(session.input.holder).toBe("owner");
    watching.close();
    daemon.registry.sweep();
    await session.journal.quiet();
    daemon.registry.sweep();
    daemon.registry.sweep();
    expect(daemon.registry.find(session.record.id)).toBeUndefined();
    const again = await daemon.registry.get(session.record.id);
    const reason = "the holder was inactive for too long";
    expect(last(await upTo(again, held("")))).toMatchObject({ previous: "owner", reason });
  }, 30_000);

  test("is released after the daemon is killed, and watchers are notified", async () => {
    const record = newRecord({ inputHolder: "owner" });
    await place.store.write([{ type: "addSession", record }]);
    expect(await place.store.sessions.unfinished()).toEqual([record.id]);
    const stored = await place.store.sessions.load(record.id);
    const { drafts, changes } = recover(stored as StoredSession);
    expect(drafts.map(({ body }) => body.value)).toMatchObject([{ client: "", previous: "owner" }]);
    expect(changes).toEqual({ inputHolder: "" });
  });
});
