import { expect } from "vitest";
import { isFailure, type ResultMessage } from "../../../src/messages/result.ts";
import type { Contract } from "../contract.ts";

/** What the published 2.0 writes differently from 2.1; based on observations of 2.0.77. */
export const realContracts: readonly Contract[] = [
  {
    file: "real_interrupt_response.json",
    from: "agent",
    becomes: [{ type: "control_response", response: { subtype: "success", request_id: "req_1" } }],
    holds: ([message]) => expect(message).not.toHaveProperty("response.response"),
  },
  {
    file: "real_interrupted_result.json",
    from: "agent",
    becomes: [{ subtype: "error_during_execution", is_error: false, num_turns: 2, errors: [] }],
    holds: ([message]) => expect(isFailure(message as ResultMessage)).toBe(true),
    again: ["+stop_reason"],
  },
  {
    file: "real_set_permission_mode_answered_twice.json",
    from: "agent",
    becomes: [1, 2].map(() => ({
      type: "control_response",
      response: { subtype: "success", request_id: "req_2", response: { mode: "plan" } },
    })),
  },
];
