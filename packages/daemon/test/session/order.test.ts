import { type Event, SessionService, SessionStatus } from "@agentwire/api";
import { createClient } from "@connectrpc/connect";
import { createConnectTransport } from "@connectrpc/connect-node";
import { describe, expect, test } from "vitest";
import { asked, cases, isIdle, newSession, start, upTo, withTinyDaemon } from "./tiny-daemon.ts";

withTinyDaemon();

const client = (socketPath: string) =>
  createClient(
    SessionService,
    createConnectTransport({
      baseUrl: "http://localhost",
      httpVersion: "1.1",
      nodeOptions: { socketPath },
    }),
  );

/** The session's status according to the events up to a number. */
function statusAt(events: readonly Event[], seq: number): SessionStatus {
  let status: SessionStatus = SessionStatus.IDLE;
  for (const { seq: number, body } of events)
    if (Number(number) <= seq && body.case === "statusChange") status = body.value.status;
  return status;
}

const count = (events: readonly Event[], seq: number, name: Event["body"]["case"]) =>
  events.filter(({ seq: number, body }) => Number(number) <= seq && body.case === name).length;

describe("the order of events", () => {
  test("puts a call before the question about it, even if both arrive at once", async () => {
    const session = await newSession(await start());
    await session.send("ask 2", "me", null);
    const events = await upTo(session, asked);
    const question = events.at(-1)?.body;
    const id = question?.case === "permissionAsked" ? question.value.question?.toolUseId : undefined;
    const start1 = events.find(({ body }) => body.case === "toolCallStart")?.body;
    expect(start1?.case === "toolCallStart" && start1.value.toolUseId).toBe(id);
    expect(cases(events).slice(-2)).toEqual(["toolCallStart", "permissionAsked"]);
  }, 30_000);

  test("agrees with the session's status and last number at every read", async () => {
    const daemon = await start();
    const sessions = client(daemon.config.socketPath);
    const session = await newSession(daemon);
    const sessionId = session.record.id;
    const looks: { status: SessionStatus; seq: number; questions: number; queued: number }[] = [];
    let isOver = false;
    const looking = (async () => {
      while (!isOver) {
        const { session: seen } = await sessions.getSession({ sessionId });
        if (!seen) throw new Error("there is no session");
        const { status, lastSeq, openQuestions: questions, queuedPrompts: queued } = seen;
        looks.push({ status, seq: Number(lastSeq), questions, queued });
      }
    })();
    for (const text of ["talk 3", "talk 3", "talk 9"]) await session.send(text, "me", null);
    const before = await upTo(session, isIdle);
    // On a busy machine a turn may be over before a request is answered.
    while (new Set(looks.map(({ status }) => status)).size < 2) {
      await session.send("talk 9", "me", null);
      before.push(...(await upTo(session, isIdle, Number(before.at(-1)?.seq))));
    }
    isOver = true;
    await looking;
    const wrong = looks.filter(({ status, seq }) => status !== statusAt(before, seq));
    expect(wrong).toEqual([]);
    const uncounted = looks.filter(
      ({ seq, questions }) =>
        questions !== count(before, seq, "permissionAsked") - count(before, seq, "permissionDecided"),
    );
    expect(uncounted).toEqual([]);
  }, 30_000);
});
