import { DartAgent } from "./dart/agent.ts";
import { DartHost } from "./dart/host.ts";
import type { Dialect } from "./dialect.ts";

/** The wire of the Dart SDK: sessions that are created, callbacks instead of control requests, snake_case answers. */
export const dart: Dialect = {
  name: "dart",
  unknown: "log_and_skip",
  forHost: () => new DartHost(),
  forAgent: () => new DartAgent(),
};
