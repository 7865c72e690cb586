import { describe, expect, test } from "vitest";
import { miriad } from "../../src/dialect/choose.ts";
import { answer, init, prompt, refusal, request, result } from "./official.ts";
import { agentLines, lastAsked, openWire, type Wire } from "./wire.ts";

/** A wire with a turn in progress. */
function turnRuns(): Wire {
  const wire = openWire(miriad);
  wire.hostSays(prompt("go", { session_id: "sess_1" }));
  wire.agentSays(init({ session_id: "sess_1" }));
  return wire;
}

const aborted = result({
  subtype: "error_during_execution",
  is_error: true,
  terminal_reason: "aborted_tools",
  errors: ["[ede_diagnostic]"],
});

describe("an interrupt", () => {
  /** The host interrupts, and the agent accepts, as the official one does. */
  const interrupt = (wire: Wire, id: string) => {
    wire.hostSays(request(id, "interrupt"));
    wire.agentSays(answer(lastAsked(wire), { still_queued: [] }));
  };
  const answered = ({ hostHeard }: Wire) =>
    hostHeard.flatMap((message) => (message.type === "control_response" ? message.response.request_id : []));

  test("while idle causes an error notice and no result", () => {
    const wire = openWire(miriad);
    interrupt(wire, "req_1");
    expect(agentLines(wire)).toEqual([
      { type: "system", subtype: "error", message: "No turn is currently running" },
    ]);
    expect(wire.hostHeard).toMatchObject([{ response: { subtype: "success", request_id: "req_1" } }]);
  });

  test("during a turn is reported once, however often it is sent, and the turn ends cancelled", () => {
    const wire = turnRuns();
    wire.hostSays(request("req_1", "interrupt"));
    const first = lastAsked(wire);
    wire.hostSays(request("req_2", "interrupt"));
    wire.agentSays(answer(first, { still_queued: [] }));
    wire.agentSays(answer(lastAsked(wire), { still_queued: [] }));
    wire.agentSays(aborted);
    expect(agentLines(wire)).toMatchObject([
      { type: "system", subtype: "interrupted" },
      { type: "result", subtype: "cancelled" },
    ]);
    expect(answered(wire)).toEqual(["req_1", "req_2"]);
    expect(wire.hostHeard.at(-1)).toMatchObject({ type: "result", terminal_reason: "aborted_streaming" });
  });

  test("sent after the notice is answered with the result", () => {
    const wire = turnRuns();
    interrupt(wire, "req_1");
    interrupt(wire, "req_2");
    expect(answered(wire)).toEqual(["req_1"]);
    wire.agentSays(aborted);
    expect(answered(wire)).toEqual(["req_1", "req_2"]);
    expect(agentLines(wire).filter(({ subtype }) => subtype === "interrupted")).toHaveLength(1);
  });

  test("does not cancel the turn after a cancelled one", () => {
    const wire = turnRuns();
    interrupt(wire, "req_1");
    wire.agentSays(aborted);
    wire.agentSays(init());
    wire.agentSays(result());
    expect(agentLines(wire).at(-1)).toMatchObject({ type: "result", subtype: "success" });
  });

  test("finds nothing to interrupt after a turn has ended", () => {
    const wire = turnRuns();
    wire.agentSays(result());
    interrupt(wire, "req_1");
    expect(agentLines(wire).at(-1)).toMatchObject({
      subtype: "error",
      message: "No turn is currently running",
    });
  });

  test("can interrupt a prompt whose turn has not begun yet", () => {
    const wire = openWire(miriad);
    wire.hostSays(prompt("go"));
    interrupt(wire, "req_1");
    expect(agentLines(wire)).toEqual([{ type: "system", subtype: "interrupted" }]);
  });

  test("can interrupt a turn that the agent started without a prompt", () => {
    const wire = openWire(miriad);
    wire.agentSays(init());
    interrupt(wire, "req_1");
    expect(agentLines(wire)).toEqual([{ type: "system", subtype: "interrupted" }]);
  });

  test("that the agent refuses is answered with the refusal", () => {
    const wire = turnRuns();
    wire.hostSays(request("req_1", "interrupt"));
    wire.agentSays(refusal(lastAsked(wire), "not now"));
    expect(agentLines(wire)).toEqual([{ type: "system", subtype: "error", message: "not now" }]);
  });
});

test("uses the agent's own report of whether it arrived in time", () => {
  const wire = turnRuns();
  wire.hostSays(request("req_1", "interrupt"));
  wire.agentSays(answer(lastAsked(wire), { still_queued: [], interrupted: false }));
  expect(agentLines(wire)).toMatchObject([{ subtype: "error", message: "No turn is currently running" }]);
});

test("sent before a prompt does not end that prompt's turn", () => {
  const wire = openWire(miriad);
  wire.hostSays(request("req_1", "interrupt"));
  wire.hostSays(prompt("go"));
  wire.agentSays(answer(lastAsked(wire), { still_queued: [] }));
  wire.agentSays(init());
  wire.agentSays(result());
  expect(agentLines(wire)).toMatchObject([{ subtype: "error" }, { type: "result", subtype: "success" }]);
});
