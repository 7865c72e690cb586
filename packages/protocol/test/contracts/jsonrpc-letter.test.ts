import { describe, expect, test } from "vitest";
import { jsonrpc } from "../../src/dialect/choose.ts";
import type { JsonObject } from "../../src/json.ts";
import type { AgentMessage, HostMessage } from "../../src/message.ts";
import { aborted, error } from "./jsonrpc-wire.ts";
import { answer, prompt, reply, result, text } from "./official.ts";

const request = (id: unknown, method: string, params?: unknown) => ({
  jsonrpc: "2.0",
  id,
  method,
  ...(params !== undefined && { params }),
});
const notification = (method: string, params?: unknown) => ({
  jsonrpc: "2.0",
  method,
  ...(params !== undefined && { params }),
});

/** An agent's end that has read a line with a request or a list of them. */
function after(line: JsonObject | readonly unknown[]) {
  const end = jsonrpc.forAgent();
  const [lines, heard]: [unknown[], HostMessage[]] = [[], []];
  const sink = {
    message: (message: HostMessage) => void heard.push(message),
    reply: (value: unknown) => void lines.push(value),
    malformed() {},
    repaired() {},
  };
  const reads = (value: JsonObject | readonly unknown[]) =>
    Array.isArray(value) ? end.decodeList?.(value, sink) : end.decode(value as JsonObject, sink);
  reads(line);
  return {
    lines,
    heard,
    reads,
    says: (message: AgentMessage) => void lines.push(...end.encode(message, sink)),
    /** The id of the request that it passed on last. */
    asked: () => {
      const asked = heard.findLast((message) => message.type === "control_request");
      return asked?.type === "control_request" ? asked.request_id : "";
    },
  };
}

describe("a batch", () => {
  test("is answered in one line when all its requests are done; a run's messages are sent as they occur", () => {
    const wire = after([request(1, "run", { prompt: "Hello" }), request(2, "walk"), request(3, "status")]);
    wire.says(answer(wire.asked(), { session_id: "s" }));
    wire.says(reply("msg_1", text("Hi.")));
    expect(wire.lines).toHaveLength(1);
    wire.says(result());
    const [said, last, ...more] = wire.lines;
    expect(more).toEqual([]);
    expect(said).toMatchObject({ id: 1, result: { type: "assistant" } });
    expect(last).toMatchObject([
      { id: 2, error: { code: -32601 } },
      { id: 3, result: { type: "system", subtype: "status", running: true } },
      { id: 1, result: { type: "result" } },
    ]);
  });

  test("of only faulty requests has an error for each", () => {
    const wire = after([1, "x", {}, request({}, "status")]);
    const refused = { jsonrpc: "2.0", id: null, error: error(-32600) };
    expect(wire.lines).toEqual([[refused, refused, refused, refused]]);
  });

  test("of notifications has no answer", () => {
    const wire = after([notification("walk"), notification("cancel"), notification("run", {})]);
    expect(wire.lines).toEqual([]);
    expect(wire.heard).toEqual([]);
  });
});

describe("a notification", () => {
  test("starts a run whose messages are notifications", () => {
    const wire = after(notification("run", { prompt: "Hello" }));
    expect(wire.heard).toMatchObject([prompt("Hello")]);
    wire.says(reply("msg_1", text("Hi.")));
    wire.says(result());
    expect(wire.lines).toMatchObject([
      { method: "message", params: { type: "assistant" } },
      { method: "message", params: { type: "result" } },
    ]);
    for (const line of wire.lines) expect(line).not.toHaveProperty("id");
  });

  test("cancels a run, which sends its result and nothing else", () => {
    const wire = after(request(7, "run", { prompt: "go" }));
    wire.reads(notification("cancel"));
    wire.says(answer(wire.asked()));
    wire.says(aborted);
    expect(wire.lines).toMatchObject([{ id: 7, result: { type: "result", subtype: "cancelled" } }]);
  });

  test.each(["walk", "cancel", "rpc.discover"])("is never answered, even if it fails: %s", (method) => {
    const wire = after(notification(method));
    expect(wire.lines).toEqual([]);
  });
});

test.each([{ result: {} }, { error: { code: 1, message: "no" } }])(
  "a response is never answered: %j",
  (body) => {
    const wire = after({ jsonrpc: "2.0", id: 1, ...body });
    expect(wire.lines).toEqual([]);
    expect(wire.heard).toEqual([]);
  },
);

test("an id may be null", () => {
  const wire = after(request(null, "status"));
  wire.says(answer(wire.asked(), { session_id: "s" }));
  expect(wire.lines).toMatchObject([{ id: null, result: { subtype: "status" } }]);
});

test("params may be given by position", () => {
  const wire = after(request(1, "run", ["Hello", "ada"]));
  expect(wire.heard).toMatchObject([{ ...prompt("Hello"), session_id: "ada" }]);
});
