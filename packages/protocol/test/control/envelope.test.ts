import { describe, expect, test } from "vitest";
import {
  agentControlRequest,
  controlCancelRequest,
  controlResponse,
  hostControlRequest,
} from "../../src/control/envelope.ts";
import { Reading } from "../../src/schema/reading.ts";
import { type Schema, UNREADABLE } from "../../src/schema/schema.ts";

function read(schema: Schema<unknown>, value: unknown) {
  return schema.accepts(value) ? value : schema.read(value, new Reading());
}

const answer = (response: unknown) => ({ type: "control_response", response });

describe("a control request", () => {
  test.each([hostControlRequest, agentControlRequest])("keeps its payload unchanged", (schema) => {
    const request = { type: "control_request", request_id: "r", request: { subtype: "new", a: [1] } };
    expect(schema.accepts(request)).toBe(true);
  });

  test.each([undefined, null, "interrupt", ["interrupt"]])("decodes with %j as payload", (request) => {
    const value = { type: "control_request", request_id: "r", request };
    expect(read(hostControlRequest, value)).toEqual({
      type: "control_request",
      request_id: "r",
      request: {},
    });
  });

  test("can't be read without an id, since it could not be answered", () => {
    expect(read(hostControlRequest, { type: "control_request", request: {} })).toBe(UNREADABLE);
  });
});

describe("the id", () => {
  test("may be spelled requestId, which is noted as a repair", () => {
    const reading = new Reading();
    const value = { type: "control_request", requestId: "r", request: { subtype: "interrupt" } };
    expect(hostControlRequest.read(value, reading)).toEqual({
      type: "control_request",
      request_id: "r",
      request: { subtype: "interrupt" },
    });
    expect(reading.repairs).toMatchObject([{ kind: "coerced", was: "requestId" }]);
  });

  test("may also be spelled requestId in answers and cancellations", () => {
    expect(read(controlResponse, answer({ subtype: "success", requestId: "r" }))).toEqual(
      answer({ subtype: "success", request_id: "r" }),
    );
    expect(read(controlCancelRequest, { type: "control_cancel_request", requestId: "r" })).toEqual({
      type: "control_cancel_request",
      request_id: "r",
    });
  });

  test("is request_id if both are given", () => {
    const value = { type: "control_cancel_request", request_id: "a", requestId: "b" };
    expect(read(controlCancelRequest, value)).toMatchObject({ request_id: "a" });
  });
});

describe("an answer", () => {
  test.each([
    [{ subtype: "success", request_id: "r" }],
    [{ subtype: "success", request_id: "r", response: {} }],
    [{ subtype: "success", request_id: "r", response: { a: 1 }, pending_permission_requests: [] }],
    [{ subtype: "error", request_id: "r", error: "no" }],
    [{ subtype: "error", request_id: "r", error: "no", error_code: "new_code", model: "m" }],
  ])("is accepted unchanged: %j", (response) => {
    expect(controlResponse.accepts(answer(response))).toBe(true);
  });

  test("lists what is still pending, each as a separate envelope", () => {
    const open = { type: "control_request", requestId: "p", request: { subtype: "can_use_tool" } };
    const value = { subtype: "success", request_id: "r", pending_permission_requests: [open, 5] };
    expect(read(controlResponse, answer(value))).toMatchObject({
      response: { pending_permission_requests: [{ request_id: "p" }] },
    });
  });

  test("may have null as payload", () => {
    const value = answer({ subtype: "success", request_id: "r", response: null });
    expect(read(controlResponse, value)).toEqual(answer({ subtype: "success", request_id: "r" }));
  });

  test.each([
    [{ subtype: "success", request_id: "r", response: "yes" }],
    [{ subtype: "success", request_id: "r", response: [] }],
    [{ subtype: "partial", request_id: "r" }],
    [{ request_id: "r", response: { behavior: "allow" } }],
    [{ subtype: "error", request_id: "r" }],
  ])("settles the request as an error if it is %j", (response) => {
    expect(read(controlResponse, answer(response))).toMatchObject({
      response: { subtype: "error", request_id: "r", error: expect.any(String) },
    });
  });

  test.each([undefined, null, "ok", {}, { subtype: "success" }])("can't be read as %j", (response) => {
    expect(read(controlResponse, answer(response))).toBe(UNREADABLE);
  });
});
