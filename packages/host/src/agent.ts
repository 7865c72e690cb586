/** Finding agents without starting a session, and starting other programs in the same way as agents. */

export {
  type Agent,
  type ExaminedAgent,
  examineAgent,
  locateAgent,
  type WantedAgent,
} from "./agent/agent.ts";
export { commandOf } from "./agent/find-agent.ts";
export { AgentPool, type ProcessLimits } from "./pool/agent-pool.ts";
export type { ProcessLoad } from "./pool/shared-process.ts";
export { type AgentProcess, startProcess } from "./process/process.ts";
export { leftSessions } from "./session-files/left-sessions.ts";
