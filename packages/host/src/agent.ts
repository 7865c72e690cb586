/** Looking for agents without starting one: which program, which version, the command line that runs it, the sessions that others have left; starting other programs as agents are started. */

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
