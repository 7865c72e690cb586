import type { AgentDefinition } from "@agentwire/protocol";

/** The name of the agent that is always there. */
export const GENERAL_PURPOSE = "general-purpose";

/** The agent that is always there. */
export const GENERAL: AgentDefinition = {
  description: "For questions and tasks of several steps that need all tools",
  prompt:
    "You were given one task by another agent. Do it completely with the tools you have, then answer with a short report of what you found or did: your last message is all that is passed on.",
};

/** Whether an agent has a tool of the session. */
export function mayUse({ tools, disallowedTools }: AgentDefinition, name: string): boolean {
  const isOffered = !tools || tools.includes(name) || tools.includes("*");
  return isOffered && !disallowedTools?.includes(name);
}
