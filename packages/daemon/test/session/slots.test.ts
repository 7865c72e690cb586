import { describe, expect, test } from "vitest";
import { Slots } from "../../src/session/slots.ts";

const never = new AbortController().signal;

describe("slots for processes", () => {
  test("go to the session that has waited longest", async () => {
    const slots = new Slots(1);
    const first = await slots.take(never);
    const order: string[] = [];
    const take = async (name: string) => {
      const place = await slots.take(never);
      order.push(name);
      return place;
    };
    const second = take("second");
    const third = take("third");
    expect(slots.waiting).toBe(2);
    first.release();
    (await second).release();
    (await third).release();
    expect(order).toEqual(["second", "third"]);
    expect(slots.taken).toBe(0);
  });

  test("are taken from the longest idle process when a session waits, and from no more than needed", async () => {
    const slots = new Slots(3);
    const gone: string[] = [];
    const [busy, long, short] = [await slots.take(never), await slots.take(never), await slots.take(never)];
    const leave = (name: string, place: { release(): void }) => () => {
      gone.push(name);
      place.release();
    };
    long?.idle(leave("long", long));
    short?.idle(leave("short", short));
    expect(gone).toEqual([]);
    await slots.take(never);
    expect(gone).toEqual(["long"]);
    busy?.release();
  });

  test("are given up at once by a process that becomes idle while a session waits", async () => {
    const slots = new Slots(1);
    const place = await slots.take(never);
    const waiting = slots.take(never);
    let isGone = false;
    place.idle(() => {
      isGone = true;
    });
    expect(isGone).toBe(true);
    place.release();
    await waiting;
  });

  test("are kept by a process that is busy again", async () => {
    const slots = new Slots(1);
    const place = await slots.take(never);
    place.idle(() => expect.unreachable());
    place.busy();
    const leaving = new AbortController();
    const waiting = slots.take(leaving.signal);
    leaving.abort();
    await expect(waiting).rejects.toThrow();
    expect(slots.waiting).toBe(0);
  });

  test("are lent while a process waits for an answer, up to a limit", async () => {
    const slots = new Slots(1);
    const places = await Promise.all(
      Array.from({ length: 10 }, async () => {
        const place = await slots.take(never);
        place.lend();
        place.lend();
        return place;
      }),
    );
    expect([slots.taken, slots.processes]).toEqual([0, 10]);
    const last = await slots.take(never);
    last.lend();
    expect([slots.taken, slots.processes, slots.isFree]).toEqual([1, 11, false]);
    places[0]?.reclaim();
    expect([slots.taken, slots.processes]).toEqual([2, 11]);
    for (const place of [...places, last]) place.release();
    expect([slots.taken, slots.processes]).toEqual([0, 0]);
  });

  test("are released once, however often release is called", async () => {
    const slots = new Slots(2);
    const place = await slots.take(never);
    place.release();
    place.release();
    expect(slots.taken).toBe(0);
    expect(slots.tryTake()).toBeDefined();
    expect(slots.tryTake()).toBeDefined();
    expect(slots.tryTake()).toBeUndefined();
  });
});
