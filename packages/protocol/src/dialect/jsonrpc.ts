import type { Dialect } from "./dialect.ts";
import { JsonRpcAgent } from "./jsonrpc/agent.ts";
import { JsonRpcHost } from "./jsonrpc/host.ts";

/** The JSON-RPC envelope: `run`, `cancel` and `status` as JSON-RPC requests, the messages of a run as its responses. */
export const jsonrpc: Dialect = {
  name: "jsonrpc",
  unknown: "pass_on",
  forHost: () => new JsonRpcHost(),
  forAgent: () => new JsonRpcAgent(),
};
