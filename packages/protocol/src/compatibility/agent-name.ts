/** The names of an agent, in texts for people and on the command line. */
export interface AgentName {
  readonly title: string;
  readonly command: string;
}

/** The official agent, for which the compatibility matrix is written. */
export const CLAUDE_CODE: AgentName = { title: "Claude Code", command: "claude" };
