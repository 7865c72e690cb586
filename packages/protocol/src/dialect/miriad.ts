import type { Dialect } from "./dialect.ts";
import { MiriadAgent } from "./miriad/agent.ts";
import { MiriadHost } from "./miriad/host.ts";

/** The wire of miriad-code: tool results as system messages, `control` lines, a queue that tells of itself. */
export const miriad: Dialect = {
  name: "miriad",
  unknown: "log_and_skip",
  forHost: () => new MiriadHost(),
  forAgent: () => new MiriadAgent(),
};
