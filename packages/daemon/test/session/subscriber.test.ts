import { setImmediate as turn } from "node:timers/promises";
import fc from "fast-check";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { Fanout } from "../../src/session/fanout.ts";
import type { Delivery, Subscriber } from "../../src/session/subscriber.ts";
import type { StoredEvent } from "../../src/store/checked-event.ts";
import type { EventLog } from "../../src/store/store.ts";

const event = (seq: number, size = 10): StoredEvent => ({ seq, body: new Uint8Array(size) });

/** A list as the log, where no database is needed. */
function listLog(events: readonly StoredEvent[]): Pick<EventLog, "after" | "bounds"> {
  return {
    after: async (_, seq, limit) => events.filter((one) => one.seq > seq).slice(0, limit),
    bounds: async () => ({ first: events[0]?.seq ?? 0, last: events.at(-1)?.seq ?? 0 }),
  };
}

function session(queueBytes = 1000, stallMs = 60_000) {
  const stored: StoredEvent[] = [];
  const fanout = new Fanout("s", listLog(stored), () => ({ queueBytes, stallMs }), 0);
  const publish = (count: number, size?: number) => {
    const events = Array.from({ length: count }, (_, i) => event(fanout.lastSeq + 1 + i, size));
    stored.push(...events);
    fanout.publish(events);
  };
  return { stored, fanout, publish };
}

const numbersOf = (delivery: Delivery | undefined) => delivery?.events.map(({ seq }) => seq);

/** All numbers up to a given one, in as many deliveries as it takes. */
async function readTo(subscriber: Subscriber, last: number): Promise<number[]> {
  const seen: number[] = [];
  while ((seen.at(-1) ?? 0) < last) seen.push(...(numbersOf(await subscriber.pull()) ?? [last]));
  return seen;
}

describe("a subscriber", () => {
  test.each([6, 1000, Number.MAX_SAFE_INTEGER, 2 ** 63])(
    "with the number %i from another history is notified, and receives new events",
    async (afterSeq) => {
      const { fanout, publish } = session();
      publish(5);
      const subscriber = fanout.subscribe("a", afterSeq);
      const first = await subscriber.pull();
      expect(first).toMatchObject({ events: [], notice: { code: "restored" }, caughtUp: true });
      publish(2);
      const next = await subscriber.pull();
      expect(numbersOf(next)).toEqual([6, 7]);
      expect(next?.notice).toBeUndefined();
    },
  );

  test("receives stored events after its number, then caughtUp, then published events", async () => {
    const { fanout, publish } = session();
    publish(5);
    const subscriber = fanout.subscribe("a", 2);
    const first = await subscriber.pull();
    expect(numbersOf(first)).toEqual([3, 4, 5]);
    expect(first?.caughtUp).toBe(true);
    const next = subscriber.pull();
    publish(2);
    expect(numbersOf(await next)).toEqual([6, 7]);
  });

  test("is notified of numbers that are no longer stored", async () => {
    const { stored, fanout, publish } = session();
    publish(10);
    stored.splice(0, 6);
    const delivery = await fanout.subscribe("a", 2).pull();
    expect(delivery?.gap).toEqual({ from: 3, to: 6 });
    expect(numbersOf(delivery)).toEqual([7, 8, 9, 10]);
  });

  test("with a number that does not exist yet receives new events", async () => {
    const { fanout, publish } = session();
    publish(1);
    const subscriber = fanout.subscribe("a", 99);
    await subscriber.pull();
    publish(1);
    expect(numbersOf(await subscriber.pull())).toEqual([2]);
  });

  test("that falls behind is warned, then served from the log, and uses no memory meanwhile", async () => {
    const { fanout, publish } = session(100);
    const subscriber = fanout.subscribe("a", 0);
    await subscriber.pull();
    publish(6);
    await turn();
    publish(1);
    expect((await subscriber.pull())?.notice?.code).toBe("slow");
    await turn();
    publish(20);
    await turn();
    publish(1);
    expect(subscriber.isSlow).toBe(true);
    publish(20);
    const delivery = await subscriber.pull();
    expect(delivery?.notice?.code).toBe("replaying");
    expect(numbersOf(delivery)).toEqual(Array.from({ length: 41 }, (_, i) => i + 8));
    expect(subscriber.isSlow).toBe(false);
  });

  test("does not fall behind because of one large burst, and receives it in parts", async () => {
    const { fanout, publish } = session(1000);
    fanout.onSlow = () => expect.unreachable();
    const subscriber = fanout.subscribe("a", 0);
    await subscriber.pull();
    for (let batch = 0; batch < 10; batch++) publish(10, 10_000);
    const parts: number[][] = [];
    while ((parts.at(-1)?.at(-1) ?? 0) < 100) parts.push(numbersOf(await subscriber.pull()) ?? []);
    expect(parts.map(({ length }) => length)).toEqual([20, 20, 20, 20, 20]);
    expect(parts.flat()).toEqual(Array.from({ length: 100 }, (_, i) => i + 1));
    await turn();
    publish(1);
    expect((await subscriber.pull())?.notice).toBeUndefined();
  });

  test("that falls behind in a reply receives none of its last deltas once the log has the finished reply instead", async () => {
    const { stored, fanout, publish } = session(100);
    const subscriber = fanout.subscribe("a", 0);
    await subscriber.pull();
    publish(5);
    await subscriber.pull();
    publish(20);
    await turn();
    publish(1);
    // 27 and 28 are deltas as well, and 29 is the finished reply: all are stored, and about to be published.
    stored.splice(0, stored.length, event(29));
    expect((await subscriber.pull())?.notice?.code).toBe("replaying");
    fanout.publish([event(27), event(28)]);
    fanout.publish([event(29)]);
    expect(numbersOf(await subscriber.pull())).toEqual([29]);
    expect(subscriber.isSlow).toBe(false);
  });

  test("that reads nothing at all is evicted with a reason", async () => {
    const { fanout, publish } = session(100, 20);
    const evicted = new Promise<string>((resolve) => {
      fanout.onEvicted = resolve;
    });
    const subscriber = fanout.subscribe("a", 0);
    await subscriber.pull();
    publish(20);
    await turn();
    publish(1);
    // This needs no further event in the session.
    await evicted;
    expect(fanout.subscribers.size).toBe(0);
    expect((await subscriber.pull())?.notice?.code).toBe("replaying");
    expect((await subscriber.pull())?.notice).toMatchObject({
      code: "evicted",
      message: expect.stringContaining("read nothing"),
    });
    expect(await subscriber.pull()).toBeUndefined();
  });

  test("that waits for events is not evicted, however long there are none", async () => {
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    const { fanout, publish } = session(100, 20);
    const subscriber = fanout.subscribe("a", 0);
    await subscriber.pull();
    const next = subscriber.pull();
    await vi.advanceTimersByTimeAsync(1000);
    publish(1);
    expect(numbersOf(await next)).toEqual([1]);
    await vi.advanceTimersByTimeAsync(19);
    expect(fanout.subscribers.size).toBe(1);
    await vi.advanceTimersByTimeAsync(1);
    expect(fanout.subscribers.size).toBe(0);
  });

  test("that disconnects ends its pending pull", async () => {
    const { fanout } = session();
    const subscriber = fanout.subscribe("a", 0);
    await subscriber.pull();
    const pulling = subscriber.pull();
    subscriber.close();
    expect(await pulling).toBeUndefined();
    expect(fanout.subscribers.size).toBe(0);
  });

  test("receives every number once and in order, however publishing and reading interleave", async () => {
    const action = fc.oneof(
      fc.record({ publish: fc.integer({ min: 1, max: 700 }) }),
      fc.record({ pull: fc.constant(true) }),
      fc.record({ turn: fc.constant(true) }),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(action, { maxLength: 40 }), fc.nat(800), async (actions, after) => {
        const { fanout, publish } = session(2000);
        publish(600);
        const subscriber = fanout.subscribe("a", Math.min(after, 600));
        const seen: number[] = [];
        for (const step of actions) {
          if ("publish" in step) publish(step.publish);
          else if ("turn" in step) await turn();
          else if (fanout.lastSeq > (seen.at(-1) ?? after))
            seen.push(...(numbersOf(await subscriber.pull()) ?? []));
        }
        publish(1);
        seen.push(...(await readTo(subscriber, fanout.lastSeq)));
        const from = Math.min(after, 600) + 1;
        expect(seen).toEqual(Array.from({ length: fanout.lastSeq - from + 1 }, (_, i) => i + from));
      }),
    );
  });
});
