import { type AgentMessage, Malformed } from "@agentwire/protocol";
import { describe, expect, test } from "vitest";
import { Arrivals } from "../../src/session/arrivals.ts";

const LONG = 1000;
const message = (type: string, more: object = {}) => ({ type, ...more }) as unknown as AgentMessage;
const fault = (line: string) => ({ fault: new Malformed("not_json", "no JSON", line), line });
const linesOf = (faults: readonly { readonly line: unknown }[]) => faults.map(({ line }) => line);

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

  test("put a bad line in its place among messages that nobody has taken yet", () => {
    const arrivals = new Arrivals();
    arrivals.came(message("system"), "one", LONG);
    expect(arrivals.failed(fault("bad 1"))).toBe(false);
    arrivals.came(message("assistant"), "two", LONG);
    expect(arrivals.failed(fault("bad 2"))).toBe(false);
    expect(arrivals.due()).toEqual([]);
    arrivals.take();
    expect(linesOf(arrivals.due())).toEqual(["bad 1"]);
    arrivals.take();
    expect(linesOf(arrivals.due())).toEqual(["bad 2"]);
    expect(arrivals.due()).toEqual([]);
    expect(arrivals.failed(fault("bad 3"))).toBe(true);
  });

  test("know the line of a question once, and not for ever", () => {
    const arrivals = new Arrivals();
    const ask = (id: number) =>
      arrivals.came(message("control_request", { request_id: `r${id}` }), `ask ${id}`, LONG);
    ask(1);
    expect(arrivals.requested("r1")).toBe("ask 1");
    expect(arrivals.requested("r1")).toBeUndefined();
    for (let id = 1; id <= 200; id++) ask(id);
    expect(arrivals.requested("r1")).toBeUndefined();
    expect(arrivals.requested("r200")).toBe("ask 200");
  });
});
