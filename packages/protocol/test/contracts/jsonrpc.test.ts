import { describe, expect, test } from "vitest";
import { jsonrpc } from "../../src/dialect/choose.ts";
import { aborted, error, rpc, runs } from "./jsonrpc-wire.ts";
import { answer, prompt, reply, request, result, text } from "./official.ts";
import { agentLines, lastAsked, openWire, type Wire } from "./wire.ts";

describe("a run", () => {
  test.each([7, "seven", 0, ""])("sends all its messages under its id %j, the result last", (id) => {
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

  test("can start after another one has ended", () => {
    const wire = runs();
    wire.agentSays(result());
    rpc(wire, { id: 8, method: "run", params: { prompt: "again" } });
    wire.agentSays(result());
    expect(agentLines(wire).map(({ id }) => id)).toEqual([7, 8]);
  });

  test("asks for permission under its own id and accepts the official answer", () => {
    const wire = runs();
    wire.agentSays(request("req_1", "can_use_tool", { tool_name: "Bash", input: {} }));
    expect(agentLines(wire)).toMatchObject([{ id: 7, result: { type: "control_request" } }]);
    wire.hostSays(answer("req_1", { behavior: "allow" }));
    expect(wire.agentHeard.at(-1)).toEqual(answer("req_1", { behavior: "allow" }));
  });

  test("is not needed for messages: those that belong to no run are notifications", () => {
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

  test("is one of several if the agent distinguishes them", () => {
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

  test("is the agent's own if the run names none, or an empty one", () => {
    const wire = openWire(jsonrpc);
    go(wire, 1, "");
    wire.agentSays(result({ session_id: "default" }));
    go(wire, 2, "b");
    expect(wire.agentHeard).toMatchObject([{ type: "user" }, { type: "user", session_id: "b" }]);
    expect(wire.agentHeard[0]).not.toHaveProperty("session_id");
  });

  test("is never confused with another if the agent has only one", () => {
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

  test("that can't be opened makes the run fail", () => {
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

describe("a turn that no run started", () => {
  /** A wire on which the run 7 waits for such a turn, and a function that reports the state of its prompt. */
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

  test("does not send its messages to a run that waits for the turn to end", () => {
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

  test("belongs to the run once the run's prompt joins it", () => {
    const { wire, tell } = waits();
    wire.agentSays(reply("msg_1", text("The task is done.")));
    tell("started");
    wire.agentSays(result());
    expect(agentLines(wire)).toMatchObject([{ method: "message" }, { id: 7, result: { type: "result" } }]);
  });

  test("may be cancelled by a waiting run, which is then cancelled itself when it begins", () => {
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

  test("does not prevent a waiting run from being cancelled", () => {
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

test("requests other than run, cancel and status pass through in the official spelling", () => {
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
  ] as const)("while %s reports it", (_name, open, expected) => {
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
