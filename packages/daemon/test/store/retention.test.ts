import { EventSchema, PromptState } from "@agentwire/api";
import { create, toBinary } from "@bufbuild/protobuf";
import { timestampFromMs } from "@bufbuild/protobuf/wkt";
import { describe, expect, test } from "vitest";
import { boundary } from "../../src/boundary.ts";
import { Subscriber } from "../../src/session/subscriber.ts";
import { Retention, type RetentionLimits } from "../../src/store/retention.ts";
import type { SessionRecord } from "../../src/store/session-record.ts";
import type { Write } from "../../src/store/write.ts";
import { appendEvent, newRecord, withStore } from "./place.ts";

const DAY = 86_400_000;
const NOW = 1_000 * DAY;
const FOREVER: RetentionLimits = { maxAgeMs: 900 * DAY, maxEvents: 1_000_000, deletedMs: 900 * DAY };
const never = new AbortController().signal;

const place = withStore();
const boundsOf = (id: string) => place.store.events.bounds(id);

const event = (seq: number, ms: number) => ({
  seq,
  body: toBinary(EventSchema, create(EventSchema, { seq: BigInt(seq), time: timestampFromMs(ms) })),
});

/** A session with one event per day, the last one today. */
async function session(id: string, events: number, changes: Partial<SessionRecord> = {}): Promise<void> {
  await place.store.write([
    { type: "addSession", record: newRecord({ id, ...changes }) },
    ...Array.from({ length: events }, (_, i) => appendEvent(id, event(i + 1, NOW - (events - 1 - i) * DAY))),
    ...[1, events].flatMap((seq): Write[] => {
      const promptId = `${id}-${seq}`;
      return [
        { type: "acceptPrompt", prompt: { promptId, sessionId: id, key: null, json: '""', client: "", seq } },
        { type: "changePrompt", id: promptId, state: PromptState.COMPLETED },
      ];
    }),
    { type: "keepLine", sessionId: id, seq: 1, line: "{}" },
  ]);
}

const run = (limits: Partial<RetentionLimits>) =>
  new Retention({ ...place, limits: () => ({ ...FOREVER, ...limits }) }).run(NOW, never);

const count = (table: string) =>
  (place.db.statement(`SELECT count(*) AS n FROM ${table}`).get() as { n: number }).n;

describe("retention", () => {
  test.each([
    ["nothing is too old or too much", {}, 1],
    ["events are too old", { maxAgeMs: 9.5 * DAY }, 91],
    ["there are too many events", { maxEvents: 5 }, 96],
    ["the stricter limit applies", { maxAgeMs: 9.5 * DAY, maxEvents: 50 }, 91],
    ["all events are too old; the last one stays for its number", { maxAgeMs: -DAY }, 100],
  ])("keeps the right events if %s", async (_, limits, first) => {
    await session("s", 100);
    await run(limits);
    expect(await boundsOf("s")).toEqual({ first, last: 100 });
    expect(count("prompts")).toBe(first === 1 ? 2 : 1);
    expect(count("raw_lines")).toBe(first === 1 ? 1 : 0);
  });

  test("drops nothing because of events that a wrong clock dated too early", async () => {
    await session("s", 100);
    await place.store.write([
      appendEvent("s", event(101, 0)),
      appendEvent("s", event(102, 0)),
      appendEvent("s", event(103, NOW)),
    ]);
    await run({ maxAgeMs: 200 * DAY });
    expect(await boundsOf("s")).toEqual({ first: 1, last: 103 });
    expect(count("events")).toBe(103);
  });

  test("prunes many old events in small steps", async () => {
    await session("s", 1800);
    await run({ maxAgeMs: 600.5 * DAY });
    expect(await boundsOf("s")).toEqual({ first: 1200, last: 1800 });
  });

  test("prunes many excess events in small steps", async () => {
    await session("s", 1800);
    await run({ maxEvents: 10 });
    expect(await boundsOf("s")).toEqual({ first: 1791, last: 1800 });
  });

  test("clears a deleted session once its time is over, and no other session", async () => {
    await session("old", 700, { deletedMs: NOW - 8 * DAY });
    await session("fresh", 3, { deletedMs: NOW - 6 * DAY });
    await session("alive", 3);
    await run({ deletedMs: 7 * DAY });
    expect(place.db.statement("SELECT id FROM sessions ORDER BY id").all()).toEqual([
      { id: "alive" },
      { id: "fresh" },
    ]);
    expect(count("events")).toBe(6);
    expect(count("prompts")).toBe(4);
  });

  test("reports a gap to a client that is still reading", async () => {
    await session("s", 1200);
    const subscriber = new Subscriber({
      client: "slow",
      afterSeq: 0,
      head: () => 1200,
      page: (seq) => place.store.events.after("s", seq, 500, 1_000_000),
      firstSeq: async () => (await boundsOf("s")).first,
      limits: () => ({ queueBytes: 1_000_000, stallMs: 60_000 }),
      guard: boundary(() => {}),
      onClose: () => {},
    });
    expect((await subscriber.pull())?.events.at(-1)?.seq).toBe(500);
    await run({ maxEvents: 100 });
    const next = await subscriber.pull();
    expect(next?.gap).toEqual({ from: 501, to: 1100 });
    expect(next?.events[0]?.seq).toBe(1101);
  });
});
