import { Disposition } from "@agentwire/api";
import { expect, onTestFinished, test, vi } from "vitest";
import { holesIn } from "../holes.ts";
import { openBench, ownAgent, type Talk } from "./daemon-bench.ts";

const HOUR = 3_600_000;
const YEAR = 365 * 24 * HOUR;

/** Shifts the clock of this process; elapsed time is not affected. */
function ownClock(): (byMs: number) => void {
  const real = Date.now;
  let ahead = 0;
  vi.spyOn(Date, "now").mockImplementation(() => real() + ahead);
  onTestFinished(() => void vi.restoreAllMocks());
  return (byMs) => {
    ahead = byMs;
  };
}

async function stored({ sessions }: Talk, sessionId: string) {
  return (await sessions.listEvents({ sessionId, pageSize: 1000 })).events;
}

test.each([
  ["back by a year", -YEAR],
  ["ahead by a year", YEAR],
])(
  "a session continues when the clock is set %s and then corrected",
  async (_, byMs) => {
    const setClock = ownClock();
    const bench = openBench();
    const talk = await bench.open({
      agents: [ownAgent(bench, [{ text: "One." }, { text: "Two." }, { text: "Three." }])],
    });
    const id = await talk.create();
    await talk.turn(id, "one");
    setClock(byMs);
    await talk.turn(id, "two");
    const { uptimeMs } = await talk.health.healthDetails({});
    expect(Number(uptimeMs)).toBeLessThan(HOUR);
    setClock(0);
    await talk.turn(id, "three");
    const events = await stored(talk, id);
    expect(holesIn(events)).toEqual([]);
    expect(events.flatMap(({ body }) => (body.case === "text" ? [body.value.text] : []))).toEqual([
      "One.",
      "Two.",
      "Three.",
    ]);
    const [session] = (await talk.sessions.listSessions({})).sessions;
    expect(session?.id).toBe(id);
  },
  60_000,
);

test("an open question neither expires early when the clock is set ahead nor stays open when it is set back", async () => {
  const setClock = ownClock();
  const bench = openBench();
  const input = { command: "touch asked", description: "Do it" };
  const ask = { content: [{ type: "tool_use", name: "Bash", input }] };
  const agents = [ownAgent(bench, [ask, { text: "Done." }, ask, { text: "Done." }])];
  const talk = await bench.open({ agents, timeouts: { attendedMs: 4000, unattendedMs: HOUR } });
  const id = await talk.create();
  const first = await talk.turn(id, "one", async ({ body }) => {
    if (body.case !== "permissionAsked") return;
    setClock(YEAR);
    // A watcher that joins or leaves makes the daemon check the deadline.
    for await (const page of talk.sessions.watch({ sessionId: id })) if (page.caughtUp) break;
    const questionId = body.value.question?.id ?? "";
    await talk.questions.decide({ questionId, decision: { case: "allow", value: {} } });
  });
  expect(first.of("permissionDecided").map(({ disposition }) => disposition)).toEqual([Disposition.ALLOWED]);
  const second = await talk.turn(id, "two", async ({ body }) => {
    if (body.case === "permissionAsked") setClock(-YEAR);
  });
  expect(second.of("permissionDecided").map(({ disposition }) => disposition)).toEqual([
    Disposition.TIMED_OUT,
  ]);
}, 60_000);

test("a token expires by the wall clock, and is valid again when the clock is corrected", async () => {
  const setClock = ownClock();
  const talk = await openBench().open();
  const { addresses } = talk.running;
  const wanted = { name: "short", scope: "observe", createdBy: "test", ttlMs: HOUR } as const;
  const { secret } = await talk.running.daemon.tokens.create(wanted);
  const status = async () =>
    (await fetch(`${addresses[1]}/metrics`, { headers: { authorization: `Bearer ${secret}` } })).status;
  expect(await status()).toBe(200);
  setClock(2 * HOUR);
  expect(await status()).toBe(401);
  setClock(0);
  expect(await status()).toBe(200);
}, 60_000);
