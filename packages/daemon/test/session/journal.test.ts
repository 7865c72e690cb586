import { setImmediate as nextTurn } from "node:timers/promises";
import { expect, test } from "vitest";
import { boundary } from "../../src/boundary.ts";
import { Metrics } from "../../src/metrics/metrics.ts";
import { Journal } from "../../src/session/journal.ts";
import type { Draft } from "../../src/store/draft.ts";
import type { Store } from "../../src/store/store.ts";
import { withStore } from "../store/place.ts";

const place = withStore();

const piece = (text: string): Draft => ({
  body: { case: "textDelta", value: { messageId: "m", text } },
  deltaOf: "m",
});
const whole: Draft = { body: { case: "text", value: { messageId: "m", text: "whole" } } };

/** A journal on a store whose writes start only when released, and the sessions it reported as stored. */
function heldBack() {
  const begun: (() => void)[] = [];
  const store: Store = Object.create(place.store, {
    keep: {
      value: async (...writes: Parameters<Store["keep"]>) => {
        await new Promise<void>((resolve) => {
          begun.push(resolve);
        });
        return place.store.keep(...writes);
      },
    },
  });
  const stored: string[] = [];
  const journal = new Journal({
    sessionId: "s",
    lastSeq: 0,
    store,
    limits: () => ({ queueBytes: 1e6, stallMs: 60_000 }),
    redact: (text) => text,
    metrics: new Metrics(),
    guard: boundary(() => {}),
    onLost: () => {},
    onStored: (id) => stored.push(id),
    mark: () => () => {},
    onAttendance: () => {},
    onLeft: () => {},
    onEvicted: () => {},
  });
  /** Records a draft as if it were all that arrived in one turn of the event loop. */
  const note = async (draft: Draft) => {
    journal.note([draft]);
    await nextTurn();
    await nextTurn();
  };
  return { journal, note, begun, stored };
}

test("deltas that arrive during a write are stored as one batch", async () => {
  const { journal, note, begun } = heldBack();
  for (const text of ["a", "b", "c"]) await note(piece(text));
  expect(begun).toHaveLength(1);
  begun[0]?.();
  await expect.poll(() => begun.length).toBe(2);
  begun[1]?.();
  await journal.quiet();
  expect(await place.store.events.bounds("s")).toEqual({ first: 1, last: 3 });
  expect(begun).toHaveLength(2);
});

test("any other event is stored at once, together with the deltas before it", async () => {
  const { journal, note, begun } = heldBack();
  for (const draft of [piece("a"), piece("b"), whole, piece("c")]) await note(draft);
  expect(begun).toHaveLength(2);
  for (const begin of begun) begin();
  await expect.poll(() => begun.length).toBe(3);
  begun[2]?.();
  await journal.quiet();
  expect(await place.store.events.bounds("s")).toEqual({ first: 1, last: 4 });
});

test("a large number of deltas is stored at once", async () => {
  const { journal, note, begun } = heldBack();
  await note(piece("a"));
  journal.note(Array.from({ length: 300 }, () => piece("b")));
  await nextTurn();
  await nextTurn();
  expect(begun).toHaveLength(2);
  for (const begin of begun) begin();
  await journal.quiet();
});

test("deltas alone do not trigger indexing", async () => {
  const { journal, note, begun, stored } = heldBack();
  await note(piece("a"));
  begun[0]?.();
  await journal.quiet();
  expect(stored).toEqual([]);
  await note(whole);
  begun[1]?.();
  await journal.quiet();
  expect(stored).toEqual(["s"]);
});
