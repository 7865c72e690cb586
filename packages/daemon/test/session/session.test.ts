import { fileURLToPath } from "node:url";
import { type Event, EventSchema, SessionStatus } from "@agentwire/api";
import { silentLog } from "@agentwire/protocol/support";
import { fromBinary } from "@bufbuild/protobuf";
import { describe, expect, test } from "vitest";
import { AgentHealth } from "../../src/health/agent-health.ts";
import { Metrics } from "../../src/metrics/metrics.ts";
import { RuleBook } from "../../src/permission/rule-book.ts";
import { HandedServers } from "../../src/session/handed-servers.ts";
import { Runner } from "../../src/session/runner.ts";
import { Session } from "../../src/session/session.ts";
import { Slots } from "../../src/session/slots.ts";
import { auditWith } from "../../src/store/audit-log.ts";
import type { StoredSession } from "../../src/store/store.ts";
import { passOn } from "../../src/tracing/tracing.ts";
import { Budgets, readSpending } from "../../src/usage/budgets.ts";
import { newRecord, withStore } from "../store/place.ts";
import { fails, noFailures } from "../unexpected.ts";

const AGENT = fileURLToPath(new URL("../../../agent/bin/agentwire-agent", import.meta.url));

const place = withStore();

async function newSession(news: string[] = []): Promise<Session> {
  const audit = auditWith(String, () => Date.now());
  const { folder, store } = place;
  const record = newRecord({ cwd: folder });
  const metrics = new Metrics();
  await store.write([{ type: "addSession", record }]);
  return new Session(
    {
      daemonLog: silentLog,
      store,
      maxPayloadBytes: 10_000_000,
      limits: () => ({ queueBytes: 1 << 20, stallMs: 60_000 }),
      rules: new RuleBook(store, [], audit),
      audit,
      redact: String,
      budgets: new Budgets(store, await readSpending(store), () => ({
        sessionUsd: undefined,
        dayUsd: undefined,
        warnAt: 0.8,
      })),
      metrics,
      report: fails,
      tracing: passOn,
      servers: new HandedServers(),
      runner: new Runner({
        metrics,
        guard: noFailures,
        slots: new Slots(2),
        isSpecial: () => false,
        spareProcesses: () => 0,
        rulesOf: () => [],
        onGroup: () => () => {},
        launch: async ({ id, cwd, agentSessionId }, { permissions }) => ({
          health: new AgentHealth("own", silentLog),
          sessionId: agentSessionId ? undefined : id,
          shortfall: undefined,
          distrust: undefined,
          takesRules: true,
          takesModel: async () => true,
          costOf: undefined,
          isOutdated: () => false,
          options: {
            agent: AGENT,
            args: [
              "--include-partial-messages",
              ...(agentSessionId ? ["--resume", agentSessionId] : ["--session-id", id]),
            ],
            cwd,
            env: { PATH: process.env.PATH, HOME: folder, AGENTWIRE_MODEL: "offline" },
            permissions,
          },
        }),
      }),
      timeouts: () => ({ attendedMs: 60_000, unattendedMs: 3_600_000 }),
      idleMs: () => 60_000,
      home: folder,
      handOverMs: 60_000,
      onStored: () => {},
      onNews: ({ kind }) => void news.push(kind),
      onTurnEnd: () => {},
      wholeQueue: () => ({ prompts: 0, bytes: 0 }),
    },
    (await store.sessions.load(record.id)) as StoredSession,
  );
}

/** All events from the start up to the first match. */
async function eventsTo(session: Session, isLast: (event: Event) => boolean): Promise<Event[]> {
  const subscriber = session.watch("test", 0);
  const seen: Event[] = [];
  for (;;) {
    const delivery = await subscriber.pull();
    for (const { body } of delivery?.events ?? []) {
      const event = fromBinary(EventSchema, body);
      seen.push(event);
      if (isLast(event)) {
        subscriber.close();
        return seen;
      }
    }
  }
}

const isIdle = ({ body }: Event) => body.case === "statusChange" && body.value.status === SessionStatus.IDLE;

describe("a session", () => {
  test("starts an agent for a prompt and sends everything the agent says, in order", async () => {
    const session = await newSession();
    await session.send("hello", "me", null);
    const events = await eventsTo(session, isIdle);
    expect(events.map(({ seq }) => Number(seq))).toEqual(
      [...events.map(({ seq }) => Number(seq))].sort((a, b) => a - b),
    );
    const cases = events.map(({ body }) => body.case);
    expect(cases[0]).toBe("userInput");
    expect(cases).toContain("sessionInfo");
    expect(cases).toContain("text");
    expect(cases.filter((name) => name === "turnComplete")).toHaveLength(1);
    await session.close("done");
  }, 30_000);

  test("sends notifications, but not for the end of an interrupted turn", async () => {
    const news: string[] = [];
    const session = await newSession(news);
    await session.send("run touch made.txt", "me", null);
    await eventsTo(session, ({ body }) => body.case === "permissionAsked");
    await session.interrupt();
    const [stopped] = (await eventsTo(session, isIdle)).slice(-1);
    expect(news).toEqual(["asks"]);
    await session.send("hello", "me", null);
    await eventsTo(session, (event) => isIdle(event) && event.seq > (stopped?.seq ?? 0n));
    expect(news).toEqual(["asks", "done"]);
    await session.close("done");
  }, 30_000);

  test("asks the watching clients before a tool runs, and continues with the answer", async () => {
    const session = await newSession();
    await session.send("run touch made.txt", "me", null);
    const [asked] = (await eventsTo(session, ({ body }) => body.case === "permissionAsked")).slice(-1);
    expect(asked?.body.case).toBe("permissionAsked");
    const [question] = session.openQuestions;
    await session.settle(question?.id ?? "", {
      disposition: 3,
      by: "me",
      answer: { behavior: "deny", message: "not now" },
    });
    const events = await eventsTo(session, isIdle);
    expect(events.map(({ body }) => body.case)).toContain("permissionDecided");
    await session.close("done");
  }, 30_000);
});
