import { describe, expect, test } from "vitest";
import { jsonrpc } from "../../src/dialect/jsonrpc.ts";
import { Malformed } from "../../src/malformed.ts";
import { isFailure } from "../../src/messages/result.ts";
import { hear } from "./hearing.ts";
import { answer, prompt, refusal, reply, request, result, text } from "./official.ts";
import { agentLines, lastAsked, openWire, type Wire } from "./wire.ts";

/** The host's program writes a JSON-RPC request of its own making. */
const rpc = (wire: Wire, value: object) =>
  wire.hostWrites(`${JSON.stringify({ jsonrpc: "2.0", ...value })}\n`);

/** A wire on which the run 7 is under way. */
function runs(): Wire {
  const wire = openWire(jsonrpc);
  rpc(wire, { id: 7, method: "run", params: { prompt: "go" } });
  return wire;
}

const aborted = result({
  subtype: "error_during_execution",
  is_error: true,
  terminal_reason: "aborted_streaming",
});
const error = (code: number, named = "") => ({ code, message: expect.stringContaining(named) });

describe("a run", () => {
  test.each([7, "seven", 0, ""])("has all its messages under its id %j, the result last", (id) => {
    const wire = openWire(jsonrpc);
    rpc(wire, { id, method: "run", params: { prompt: "go", session_id: "s1" } });
    expect(wire.agentHeard).toMatchObject([prompt("go", { session_id: "s1" })]);
    wire.agentSays(reply("msg_1", text("Hi.")));
    wire.agentSays(result());
    expect(agentLines(wire)).toMatchObject([
      { jsonrpc: "2.0", id, result: { type: "assistant" } },
      { jsonrpc: "2.0", id, result: { type: "result", subtype: "success" } },
    ]);
  });

  test("that failed is a result, not an RPC error", () => {
    const wire = runs();
    wire.agentSays(result({ is_error: true, result: "API Error: 529" }));
    expect(agentLines(wire)).toMatchObject([{ id: 7, result: { is_error: true, result: "API Error: 529" } }]);
  });

  test("that ended makes room for the next", () => {
    const wire = runs();
    wire.agentSays(result());
    rpc(wire, { id: 8, method: "run", params: { prompt: "again" } });
    wire.agentSays(result());
    expect(agentLines(wire).map(({ id }) => id)).toEqual([7, 8]);
  });

  test("asks for permission in its own name and takes the official answer", () => {
    const wire = runs();
    wire.agentSays(request("req_1", "can_use_tool", { tool_name: "Bash", input: {} }));
    expect(agentLines(wire)).toMatchObject([{ id: 7, result: { type: "control_request" } }]);
    wire.hostSays(answer("req_1", { behavior: "allow" }));
    expect(wire.agentHeard.at(-1)).toEqual(answer("req_1", { behavior: "allow" }));
  });

  test("is not needed to tell something: what belongs to none is a notification", () => {
    const wire = openWire(jsonrpc);
    wire.agentSays(result());
    expect(agentLines(wire)).toMatchObject([{ method: "message", params: { type: "result" } }]);
    expect(agentLines(wire)[0]).not.toHaveProperty("id");
    expect(wire.hostHeard).toMatchObject([{ type: "result" }]);
  });
});

describe("the session of a run", () => {
  const go = (wire: Wire, id: number, session_id: string) =>
    rpc(wire, { id, method: "run", params: { prompt: "go", session_id } });

  test("is one of several where the agent tells them apart", () => {
    const wire = openWire(jsonrpc);
    for (const [id, session_id] of ["a", "b", "a"].entries()) {
      go(wire, id, session_id);
      wire.agentSays(result({ session_id }));
    }
    expect(agentLines(wire).map(({ id, result }) => [id, result])).toMatchObject([
      [0, { session_id: "a" }],
      [1, { session_id: "b" }],
      [2, { session_id: "a" }],
    ]);
  });

  test("is the agent's own where the run names none, or nothing", () => {
    const wire = openWire(jsonrpc);
    go(wire, 1, "");
    wire.agentSays(result({ session_id: "default" }));
    go(wire, 2, "b");
    expect(wire.agentHeard).toMatchObject([{ type: "user" }, { type: "user", session_id: "b" }]);
    expect(wire.agentHeard[0]).not.toHaveProperty("session_id");
  });

  test("is never mixed with another where the agent has only one", () => {
    const wire = openWire(jsonrpc);
    go(wire, 1, "a");
    wire.agentSays(result({ session_id: "s1" }));
    go(wire, 2, "b");
    expect(agentLines(wire).at(-1)).toMatchObject({ id: 2, error: error(-32602, "not b") });
    for (const known of ["a", "s1"]) {
      go(wire, 3, known);
      wire.agentSays(result({ session_id: "s1" }));
      expect(agentLines(wire).at(-1)).toMatchObject({ id: 3, result: { type: "result" } });
    }
  });

  test("that can't be opened makes a failed run", () => {
    const wire = runs();
    const sent = wire.agentHeard.find((message) => message.type === "user");
    wire.agentSays({
      type: "command_lifecycle",
      command_uuid: sent?.uuid ?? "",
      state: "refused",
      uuid: "",
      session_id: "s1",
    });
    expect(agentLines(wire)).toMatchObject([
      { id: 7, result: { type: "result", subtype: "error_during_execution", is_error: true } },
    ]);
  });
});

describe("a turn that no run began", () => {
  /** A wire on which the run 7 waits for such a turn, and how to tell what becomes of its prompt. */
  function waits() {
    const wire = runs();
    const sent = wire.agentHeard.find((message) => message.type === "user");
    const tell = (state: "queued" | "started" | "cancelled") =>
      wire.agentSays({
        type: "command_lifecycle",
        command_uuid: sent?.uuid ?? "",
        state,
        uuid: "",
        session_id: "s1",
      });
    tell("queued");
    return { wire, tell };
  }

  test("keeps its messages from a run that waits for its end", () => {
    const { wire, tell } = waits();
    wire.agentSays(reply("msg_1", text("The task is done.")));
    wire.agentSays(result());
    tell("started");
    wire.agentSays(reply("msg_2", text("Hi.")));
    wire.agentSays(result());
    expect(agentLines(wire)).toMatchObject([
      { method: "message", params: { type: "assistant" } },
      { method: "message", params: { type: "result" } },
      { id: 7, result: { type: "assistant" } },
      { id: 7, result: { type: "result" } },
    ]);
  });

  test("becomes the run's when its prompt joins it", () => {
    const { wire, tell } = waits();
    wire.agentSays(reply("msg_1", text("The task is done.")));
    tell("started");
    wire.agentSays(result());
    expect(agentLines(wire)).toMatchObject([{ method: "message" }, { id: 7, result: { type: "result" } }]);
  });

  test("may take the cancel of a run that waits for its own: then the run gets it when it begins", () => {
    const { wire, tell } = waits();
    rpc(wire, { id: 8, method: "cancel" });
    wire.agentSays(answer(lastAsked(wire)));
    wire.agentSays(aborted);
    const before = wire.agentHeard.length;
    tell("started");
    expect(wire.agentHeard.slice(before)).toMatchObject([{ request: { subtype: "interrupt" } }]);
    wire.agentSays(answer(lastAsked(wire)));
    wire.agentSays(aborted);
    expect(agentLines(wire)).toMatchObject([
      { method: "message", params: { type: "result" } },
      { id: 7, result: { subtype: "cancelled" } },
      { id: 8, result: { subtype: "status" } },
    ]);
  });

  test("does not keep a run that waits from being cancelled", () => {
    const { wire, tell } = waits();
    rpc(wire, { id: 8, method: "cancel" });
    expect(wire.agentHeard.at(-1)).toMatchObject({ request: { subtype: "interrupt", cancel_queued: true } });
    tell("cancelled");
    wire.agentSays(answer(lastAsked(wire)));
    wire.agentSays(aborted);
    expect(agentLines(wire)).toMatchObject([
      { id: 7, result: { type: "result", subtype: "cancelled", is_error: true } },
      { id: 8, result: { type: "system", subtype: "status", running: false } },
      { method: "message", params: { type: "result", subtype: "error_during_execution" } },
    ]);
  });
});

describe("errors", () => {
  test.each([
    ["not json", null, error(-32700, "not JSON")],
    ["[]", null, error(-32600, "an array")],
    ["{}", null, error(-32600)],
    ['{"jsonrpc":"1.0","id":1,"method":"run"}', 1, error(-32600)],
    ['{"jsonrpc":"2.0","id":1}', 1, error(-32600)],
    ['{"jsonrpc":"2.0","id":1,"method":7}', 1, error(-32600)],
    ['{"jsonrpc":"2.0","method":"run","params":{"prompt":"x"}}', null, error(-32600)],
    ['{"jsonrpc":"2.0","id":null,"method":"status"}', null, error(-32600)],
    ['{"jsonrpc":"2.0","id":{},"method":"status"}', null, error(-32600)],
    ['{"jsonrpc":"2.0","id":1,"method":"walk"}', 1, error(-32601, "walk")],
    ['{"jsonrpc":"2.0","id":1,"method":"toString"}', 1, error(-32601)],
    ['{"jsonrpc":"2.0","id":1,"method":"run"}', 1, error(-32602, "prompt")],
    ['{"jsonrpc":"2.0","id":1,"method":"run","params":["x"]}', 1, error(-32602)],
    ['{"jsonrpc":"2.0","id":1,"method":"run","params":{"prompt":""}}', 1, error(-32602)],
    ['{"jsonrpc":"2.0","id":1,"method":"run","params":{"prompt":[]}}', 1, error(-32602)],
    ['{"jsonrpc":"2.0","id":1,"method":"run","params":{"prompt":["x"]}}', 1, error(-32602)],
    ['{"jsonrpc":"2.0","id":1,"method":"run","params":{"prompt":"x","session_id":7}}', 1, error(-32602)],
    ['{"jsonrpc":"2.0","id":1,"method":"run","params":{"prompt":[{}]}}', 1, error(-32602, "prompt")],
    ['{"type":"user","message":{"role":"user","content":"x"}}', null, error(-32600, "run")],
    ['{"type":"hologram"}', null, error(-32600, "hologram")],
    ['{"jsonrpc":"2.0","id":1,"method":"cancel"}', 1, error(-32002, "nothing is running")],
  ])("%s", (line, id, expected) => {
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
  ] as const)("a line that is %s", (code, expected) => {
    const refused = jsonrpc.forAgent().refuse?.(new Malformed(code, "what is wrong", "line"));
    expect(refused).toEqual([{ jsonrpc: "2.0", id: null, error: error(expected, "what is wrong") }]);
  });

  test("a long mistake is not sent back whole", () => {
    const wire = openWire(jsonrpc);
    rpc(wire, { id: 1, method: "x".repeat(1_000_000) });
    expect(JSON.stringify(agentLines(wire)).length).toBeLessThan(300);
  });

  test("a request stays one whatever else it says", () => {
    const wire = openWire(jsonrpc);
    rpc(wire, { id: 1, method: "walk", type: "user" });
    expect(agentLines(wire)).toMatchObject([{ id: 1, error: { code: -32601 } }]);
  });

  test("a response that holds no message is malformed", () => {
    const { faults } = hear(jsonrpc.forHost(), { jsonrpc: "2.0", id: 1, result: 7 });
    expect(faults).toMatchObject([{ code: "unreadable" }]);
  });

  test("a second run is refused and told which one is under way", () => {
    const wire = runs();
    rpc(wire, { id: 8, method: "run", params: { prompt: "me too" } });
    expect(agentLines(wire)).toEqual([
      { jsonrpc: "2.0", id: 8, error: { ...error(-32001), data: { currentRequestId: 7 } } },
    ]);
    expect(wire.agentHeard).toHaveLength(1);
    wire.agentSays(result());
    expect(agentLines(wire).at(-1)).toMatchObject({ id: 7, result: { type: "result" } });
  });

  test("a request that the agent refuses is an internal error", () => {
    const wire = openWire(jsonrpc);
    wire.hostSays(request("req_1", "session_status"));
    wire.agentSays(refusal(lastAsked(wire), "not now"));
    expect(agentLines(wire)).toEqual([{ jsonrpc: "2.0", id: 1, error: error(-32603, "not now") }]);
    expect(wire.hostHeard).toMatchObject([{ response: { subtype: "error", request_id: "req_1" } }]);
  });

  test("a prompt that is refused ends for the host in a failed result", () => {
    const wire = openWire(jsonrpc);
    wire.hostSays(prompt("one"));
    wire.hostSays(prompt("two"));
    const [refused] = wire.hostHeard;
    expect(refused?.type === "result" && isFailure(refused)).toBe(true);
  });
});

describe("cancel", () => {
  test("gives the run's cancelled result under the run's id, then the status under its own", () => {
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

  test("twice is answered twice", () => {
    const wire = runs();
    for (const id of [8, 9]) {
      rpc(wire, { id, method: "cancel" });
      wire.agentSays(answer(lastAsked(wire)));
    }
    wire.agentSays(aborted);
    expect(agentLines(wire).map(({ id }) => id)).toEqual([7, 8, 9]);
  });

  test("that comes too late is answered with the status alone", () => {
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

  test("that the agent refuses is an error, and the run goes on", () => {
    const wire = runs();
    rpc(wire, { id: 8, method: "cancel" });
    wire.agentSays(refusal(lastAsked(wire), "not now"));
    wire.agentSays(result());
    expect(agentLines(wire)).toMatchObject([
      { id: 8, error: error(-32603, "not now") },
      { id: 7, result: { subtype: "success" } },
    ]);
  });

  test("leaves nothing behind for the next run", () => {
    const wire = runs();
    rpc(wire, { id: 8, method: "cancel" });
    wire.agentSays(answer(lastAsked(wire)));
    wire.agentSays(aborted);
    rpc(wire, { id: 9, method: "run", params: { prompt: "again" } });
    wire.agentSays(result());
    expect(agentLines(wire).at(-1)).toMatchObject({ id: 9, result: { subtype: "success" } });
  });

  test("makes a failed turn for the host, whatever the agent says of it", () => {
    const line = { jsonrpc: "2.0", id: 1, result: { type: "result", subtype: "cancelled", is_error: false } };
    expect(hear(jsonrpc.forHost(), line).messages).toMatchObject([{ is_error: true, errors: [] }]);
  });

  test("of nothing is for the host the harmless interrupt of the official wire", () => {
    const wire = openWire(jsonrpc);
    wire.hostSays(request("req_1", "interrupt"));
    expect(wire.hostHeard).toMatchObject([{ response: { subtype: "success", request_id: "req_1" } }]);
  });
});

test("requests beyond run, cancel and status go through in the official spelling", () => {
  const wire = openWire(jsonrpc);
  wire.hostSays(request("req_1", "set_model", { model: "m" }));
  expect(wire.agentHeard).toEqual([request("req_1", "set_model", { model: "m" })]);
  wire.agentSays(answer("req_1", { model: "m" }));
  expect(agentLines(wire)).toEqual([answer("req_1", { model: "m" })]);
  expect(wire.hostHeard).toEqual([answer("req_1", { model: "m" })]);
});

describe("status", () => {
  test.each([
    ["idle", openWire, { running: false }],
    ["running", runs, { running: true, request_id: 7 }],
  ] as const)("while %s", (_name, open, expected) => {
    const wire = open(jsonrpc);
    rpc(wire, { id: 8, method: "status" });
    wire.agentSays(
      answer(lastAsked(wire), { running: true, session_id: "s1", queued_messages: 0, init: {} }),
    );
    expect(agentLines(wire)).toEqual([
      {
        jsonrpc: "2.0",
        id: 8,
        result: { type: "system", subtype: "status", ...expected, session_id: "s1" },
      },
    ]);
  });
});
