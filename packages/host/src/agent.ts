/** Looking for agents without starting one: which program, which version, and the command line that runs it. */

export {
  type Agent,
  type ExaminedAgent,
  examineAgent,
  locateAgent,
  type WantedAgent,
} from "./agent/agent.ts";
export { commandOf } from "./agent/find-agent.ts";
