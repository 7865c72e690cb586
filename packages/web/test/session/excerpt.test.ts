import type { Event } from "@agentwire/api";
import { describe, expect, test } from "vitest";
import { called, delta, Events, prompted, result, said } from "../../../view/test/timeline/events.ts";
import { newExcerpt, PAGE, withLive, withNewer, withOlder } from "../../src/session/excerpt.ts";

const prompts = (events: Events, count: number): Event[] =>
  Array.from({ length: count }, (_, index) => events.next(prompted(`p${index}`)));

describe("an excerpt", () => {
  test("joins a call and its result that were on different pages", () => {
    const events = new Events();
    const all = [events.next(called("t", "Read")), events.next(result("t", "text"))];
    const newer = newExcerpt(all.slice(1), true, false);
    expect(newer.items).toMatchObject([{ kind: "call", name: "" }]);
    const whole = withOlder(newer, all.slice(0, 1), false);
    expect(whole.items).toMatchObject([{ kind: "call", name: "Read", result: { text: "text" } }]);
    expect(whole).toMatchObject({ firstSeq: 1, lastSeq: 2, hasOlder: false });
  });

  test("drops its far end when it becomes too large, and reports that more exists there", () => {
    const events = new Events();
    const pages = Array.from({ length: 4 }, () => prompts(events, PAGE));
    const back = [pages[2], pages[1], pages[0]].reduce(
      (excerpt, page) => withOlder(excerpt, page ?? [], true),
      newExcerpt(pages[3] ?? [], true, false),
    );
    expect(back).toMatchObject({ firstSeq: 1, lastSeq: 3 * PAGE, hasNewer: true });
    const forth = withNewer(back, pages[3] ?? [], false);
    expect(forth).toMatchObject({ firstSeq: PAGE + 1, lastSeq: 4 * PAGE, hasOlder: true, hasNewer: false });
  });

  test("ignores live events if it does not reach the end, since that would leave a gap", () => {
    const events = new Events();
    const excerpt = newExcerpt([events.next(prompted("a"))], false, true);
    expect(withLive(excerpt, [events.next(prompted("b"))])).toBe(excerpt);
  });

  test("ignores an event that it already contains", () => {
    const events = new Events();
    const [first, second] = [events.next(prompted("a")), events.next(prompted("b"))];
    const excerpt = withLive(newExcerpt([first], false, false), [first, second]);
    expect(excerpt.items).toHaveLength(2);
  });

  test("keeps the beginning of a reply, however many deltas it has", () => {
    const events = new Events();
    const start = newExcerpt(prompts(events, 1), false, false);
    const pieces = Array.from({ length: 5 * PAGE }, () => events.next(delta("m", 0, "x")));
    const excerpt = pieces.reduce((soFar, piece) => withLive(soFar, [piece]), start);
    expect(excerpt.items.at(-1)).toMatchObject({ text: "x".repeat(5 * PAGE) });
    expect(withOlder(excerpt, [], false).items.at(-1)).toMatchObject({ text: "x".repeat(5 * PAGE) });
  });

  test("shows a finished reply once, even after it is rebuilt", () => {
    const events = new Events();
    const live = withLive(newExcerpt([events.next(delta("m", 0, "He"))], true, false), [
      events.next(said("m", "Hello"), { from: 1 }),
    ]);
    expect(live.items).toHaveLength(1);
    expect(withOlder(live, [], false).items).toMatchObject([{ text: "Hello", stage: "done" }]);
  });
});
