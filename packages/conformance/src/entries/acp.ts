/** Agents of the Agent Client Protocol: a client to test them with, and their score. */

export { ACP_THEMES, type AcpScoreOptions, scoreAcpAgent } from "../acp/score-agent.ts";
export { Problem, ScriptedClient } from "../acp/scripted-client.ts";
