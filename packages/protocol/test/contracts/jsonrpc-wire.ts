import { expect } from "vitest";
import { jsonrpc } from "../../src/dialect/choose.ts";
import { result } from "./official.ts";
import { openWire, type Wire } from "./wire.ts";

/** The host's program writes a JSON-RPC request directly. */
export const rpc = (wire: Wire, value: object) =>
  wire.hostWrites(`${JSON.stringify({ jsonrpc: "2.0", ...value })}\n`);

/** A wire with the run 7 in progress. */
export function runs(): Wire {
  const wire = openWire(jsonrpc);
  rpc(wire, { id: 7, method: "run", params: { prompt: "go" } });
  return wire;
}

/** The result of a run that was cancelled. */
export const aborted = result({
  subtype: "error_during_execution",
  is_error: true,
  terminal_reason: "aborted_streaming",
});

/** A JSON-RPC error whose message contains a text. */
export const error = (code: number, named = "") => ({ code, message: expect.stringContaining(named) });
