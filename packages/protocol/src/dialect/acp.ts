import { AcpAgent } from "./acp/agent.ts";
import { AcpHost } from "./acp/host.ts";
import type { Dialect } from "./dialect.ts";

/** The Agent Client Protocol, version 1: editors drive agents with it, and most other agents speak it. */
export const acp: Dialect = {
  name: "acp",
  unknown: "pass_on",
  forHost: () => new AcpHost(),
  forAgent: () => new AcpAgent(),
};
