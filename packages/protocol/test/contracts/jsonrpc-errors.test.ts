import { describe, expect, test } from "vitest";
import { jsonrpc } from "../../src/dialect/choose.ts";
import { Malformed } from "../../src/lines/malformed.ts";
import { isFailure } from "../../src/messages/result.ts";
import { hear } from "./hearing.ts";
import { aborted, error, rpc, runs } from "./jsonrpc-wire.ts";
import { answer, prompt, refusal, reply, request, result, text } from "./official.ts";
import { agentLines, lastAsked, openWire } from "./wire.ts";

describe("errors", () => {
  test.each([
    ["not json", null, error(-32700, "not JSON")],
    ["[]", null, error(-32600, "an array")],
    ["{}", null, error(-32600)],
    ['{"jsonrpc":"1.0","id":1,"method":"run"}', 1, error(-32600)],
    ['{"jsonrpc":"2.0","id":1}', 1, error(-32600)],
    ['{"jsonrpc":"2.0","id":1,"method":7}', 1, error(-32600)],
    ['{"jsonrpc":"2.0","id":true,"method":"status"}', null, error(-32600)],
    ['{"jsonrpc":"2.0","id":1,"method":"run","params":"x"}', 1, error(-32600)],
    ['{"jsonrpc":"2.0","method":1,"params":"x"}', null, error(-32600)],
    ['{"jsonrpc":"2.0","id":null,"method":"walk"}', null, error(-32601)],
    ['{"jsonrpc":"2.0","id":{},"method":"status"}', null, error(-32600)],
    ['{"jsonrpc":"2.0","id":1,"method":"walk"}', 1, error(-32601, "walk")],
    ['{"jsonrpc":"2.0","id":1,"method":"toString"}', 1, error(-32601)],
    ['{"jsonrpc":"2.0","id":1,"method":"run"}', 1, error(-32602, "prompt")],
    ['{"jsonrpc":"2.0","id":1,"method":"run","params":[7]}', 1, error(-32602)],
    ['{"jsonrpc":"2.0","id":1,"method":"run","params":{"prompt":""}}', 1, error(-32602)],
    ['{"jsonrpc":"2.0","id":1,"method":"run","params":{"prompt":[]}}', 1, error(-32602)],
    ['{"jsonrpc":"2.0","id":1,"method":"run","params":{"prompt":["x"]}}', 1, error(-32602)],
    ['{"jsonrpc":"2.0","id":1,"method":"run","params":{"prompt":"x","session_id":7}}', 1, error(-32602)],
    ['{"jsonrpc":"2.0","id":1,"method":"run","params":{"prompt":[{}]}}', 1, error(-32602, "prompt")],
    ['{"type":"user","message":{"role":"user","content":"x"}}', null, error(-32600, "run")],
    ['{"type":"hologram"}', null, error(-32600, "hologram")],
    ['{"jsonrpc":"2.0","id":1,"method":"cancel"}', 1, error(-32002, "nothing is running")],
  ])("%s is answered with an error", (line, id, expected) => {
    const wire = openWire(jsonrpc);
    wire.hostWrites(`${line}\n`);
    expect(agentLines(wire)).toEqual([{ jsonrpc: "2.0", id, error: expected }]);
    expect(wire.agentHeard).toEqual([]);
    rpc(wire, { id: 2, method: "run", params: { prompt: "go on" } });
    expect(wire.agentHeard).toMatchObject([prompt("go on")]);
  });

  test.each([
    ["not_json", -32700],
    ["invalid_utf8", -32700],
    ["too_long", -32600],
    ["too_deep", -32600],
    ["unreadable", -32600],
  ] as const)("a line that is %s is answered with an error", (code, expected) => {
    const refused = jsonrpc.forAgent().refuse?.(new Malformed(code, "what is wrong", "line"));
    expect(refused).toEqual([{ jsonrpc: "2.0", id: null, error: error(expected, "what is wrong") }]);
  });

  test("a long faulty value is truncated in the error", () => {
    const wire = openWire(jsonrpc);
    rpc(wire, { id: 1, method: "x".repeat(1_000_000) });
    expect(JSON.stringify(agentLines(wire)).length).toBeLessThan(300);
  });

  test("a request is read as one regardless of its other fields", () => {
    const wire = openWire(jsonrpc);
    rpc(wire, { id: 1, method: "walk", type: "user" });
    expect(agentLines(wire)).toMatchObject([{ id: 1, error: { code: -32601 } }]);
  });

  test("a response without a message is malformed", () => {
    const { faults } = hear(jsonrpc.forHost(), { jsonrpc: "2.0", id: 1, result: 7 });
    expect(faults).toMatchObject([{ code: "unreadable" }]);
  });

  test("a second run is refused with the id of the running one", () => {
    const wire = runs();
    rpc(wire, { id: 8, method: "run", params: { prompt: "me too" } });
    expect(agentLines(wire)).toEqual([
      { jsonrpc: "2.0", id: 8, error: { ...error(-32001), data: { currentRequestId: 7 } } },
    ]);
    expect(wire.agentHeard).toHaveLength(1);
    wire.agentSays(result());
    expect(agentLines(wire).at(-1)).toMatchObject({ id: 7, result: { type: "result" } });
  });

  test("a request that the agent refuses is answered with an internal error", () => {
    const wire = openWire(jsonrpc);
    wire.hostSays(request("req_1", "session_status"));
    wire.agentSays(refusal(lastAsked(wire), "not now"));
    expect(agentLines(wire)).toEqual([{ jsonrpc: "2.0", id: 1, error: error(-32603, "not now") }]);
    expect(wire.hostHeard).toMatchObject([{ response: { subtype: "error", request_id: "req_1" } }]);
  });

  test("a refused prompt ends in a failed result for the host", () => {
    const wire = openWire(jsonrpc);
    wire.hostSays(prompt("one"));
    wire.hostSays(prompt("two"));
    const [refused] = wire.hostHeard;
    expect(refused?.type === "result" && isFailure(refused)).toBe(true);
  });
});

describe("cancel", () => {
  test("sends the run's cancelled result under the run's id, then the status under its own", () => {
    const wire = runs();
    rpc(wire, { id: 8, method: "cancel" });
    expect(wire.agentHeard.at(-1)).toMatchObject({ request: { subtype: "interrupt" } });
    wire.agentSays(answer(lastAsked(wire), { still_queued: [] }));
    expect(agentLines(wire)).toEqual([]);
    wire.agentSays(reply("msg_1", text("I was about to")));
    wire.agentSays(aborted);
    expect(agentLines(wire)).toMatchObject([
      { id: 7, result: { type: "assistant" } },
      { id: 7, result: { type: "result", subtype: "cancelled" } },
      { id: 8, result: { type: "system", subtype: "status", running: false } },
    ]);
  });

  test("sent twice is answered twice", () => {
    const wire = runs();
    for (const id of [8, 9]) {
      rpc(wire, { id, method: "cancel" });
      wire.agentSays(answer(lastAsked(wire)));
    }
    wire.agentSays(aborted);
    expect(agentLines(wire).map(({ id }) => id)).toEqual([7, 8, 9]);
  });

  test("that arrives too late is answered with only the status", () => {
    const wire = runs();
    rpc(wire, { id: 8, method: "cancel" });
    wire.agentSays(result());
    wire.agentSays(answer(lastAsked(wire)));
    expect(agentLines(wire)).toMatchObject([
      { id: 7, result: { type: "result", subtype: "success" } },
      { id: 8, result: { subtype: "status", running: false } },
    ]);
  });

  test("marks only a run that it ended", () => {
    const wire = runs();
    rpc(wire, { id: 8, method: "cancel" });
    wire.agentSays(answer(lastAsked(wire)));
    wire.agentSays(result({ result: "done before it came" }));
    expect(agentLines(wire)).toMatchObject([{ id: 7, result: { subtype: "success" } }, { id: 8 }]);
  });

  test("that the agent refuses is an error, and the run continues", () => {
    const wire = runs();
    rpc(wire, { id: 8, method: "cancel" });
    wire.agentSays(refusal(lastAsked(wire), "not now"));
    wire.agentSays(result());
    expect(agentLines(wire)).toMatchObject([
      { id: 8, error: error(-32603, "not now") },
      { id: 7, result: { subtype: "success" } },
    ]);
  });

  test("has no effect on the next run", () => {
    const wire = runs();
    rpc(wire, { id: 8, method: "cancel" });
    wire.agentSays(answer(lastAsked(wire)));
    wire.agentSays(aborted);
    rpc(wire, { id: 9, method: "run", params: { prompt: "again" } });
    wire.agentSays(result());
    expect(agentLines(wire).at(-1)).toMatchObject({ id: 9, result: { subtype: "success" } });
  });

  test("makes the turn a failed one for the host, whatever the agent reports", () => {
    const line = { jsonrpc: "2.0", id: 1, result: { type: "result", subtype: "cancelled", is_error: false } };
    expect(hear(jsonrpc.forHost(), line).messages).toMatchObject([{ is_error: true, errors: [] }]);
  });

  test("with nothing running is the official wire's harmless interrupt for the host", () => {
    const wire = openWire(jsonrpc);
    wire.hostSays(request("req_1", "interrupt"));
    expect(wire.hostHeard).toMatchObject([{ response: { subtype: "success", request_id: "req_1" } }]);
  });
});
