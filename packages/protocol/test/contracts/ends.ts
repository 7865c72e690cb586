import type { Dialect } from "../../src/dialect/dialect.ts";
import type { Past } from "./contract.ts";
import { hear, written } from "./hearing.ts";

/** Both ends of a dialect after what they exchanged before. */
export function openEnds(dialect: Dialect, past: Past = {}) {
  const host = dialect.forHost();
  const agent = dialect.forAgent();
  for (const message of past.hostSaid ?? []) written(host, message);
  for (const line of past.agentHeard ?? []) hear(agent, line);
  for (const message of past.agentSaid ?? []) written(agent, message);
  return { host, agent };
}
