import type { AgentMessage } from "@agentwire/protocol";
import { describe, expect, test } from "vitest";
import { Arrivals } from "../../src/session/arrivals.ts";

const LONG = 1000;
const message = (type: string, more: object = {}) => ({ type, ...more }) as unknown as AgentMessage;

describe("arrivals", () => {
  test("give each message its own line, however many have come before it is taken", () => {
    const arrivals = new Arrivals();
    arrivals.came(message("system"), "one", LONG);
    arrivals.came(message("stream_event"), "delta", LONG);
    arrivals.came(message("control_response"), "answer", LONG);
    arrivals.came(message("assistant"), "two", LONG);
    expect([arrivals.take(), arrivals.take(), arrivals.take()]).toEqual(["one", undefined, "two"]);
  });

  test("keep the line of a delta only if it is long", () => {
    const arrivals = new Arrivals();
    arrivals.came(message("stream_event"), "x".repeat(LONG + 1), LONG);
    expect(arrivals.take()).toHaveLength(LONG + 1);
  });

  test("put what is not a message in its place among messages that nobody has taken yet", () => {
    const arrivals = new Arrivals();
    const acts: string[] = [];
    const later = (name: string, after = arrivals.count) => arrivals.inTurn(after, () => acts.push(name));
    arrivals.came(message("system"), "one", LONG);
    later("bad 1");
    arrivals.came(message("control_request", { request_id: "r" }), "ask", LONG);
    arrivals.came(message("assistant"), "two", LONG);
    later("bad 2");
    later("question", arrivals.requested("r")?.after);
    arrivals.catchUp();
    expect(acts).toEqual([]);
    arrivals.take();
    arrivals.catchUp();
    expect(acts).toEqual(["bad 1", "question"]);
    arrivals.take();
    arrivals.catchUp();
    arrivals.catchUp();
    expect(acts).toEqual(["bad 1", "question", "bad 2"]);
    later("bad 3");
    expect(acts.at(-1)).toBe("bad 3");
  });

  test("take no longer for each when many of them wait", () => {
    const arrivals = new Arrivals();
    let acts = 0;
    const count = 50_000;
    for (let i = 0; i < count; i++) {
      arrivals.came(message("stream_event"), "delta", LONG);
      arrivals.inTurn(arrivals.count, () => acts++);
    }
    const start = performance.now();
    for (let i = 0; i < count; i++) {
      arrivals.take();
      arrivals.catchUp();
    }
    expect(acts).toBe(count);
    expect(performance.now() - start).toBeLessThan(1000);
  });

  test("know the line of a question once, and not for ever", () => {
    const arrivals = new Arrivals();
    const ask = (id: number) =>
      arrivals.came(message("control_request", { request_id: `r${id}` }), `ask ${id}`, LONG);
    ask(1);
    expect(arrivals.requested("r1")?.line).toBe("ask 1");
    expect(arrivals.requested("r1")).toBeUndefined();
    for (let id = 1; id <= 200; id++) ask(id);
    expect(arrivals.requested("r1")).toBeUndefined();
    expect(arrivals.requested("r200")?.line).toBe("ask 200");
  });
});
