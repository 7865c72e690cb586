import { PERMISSION_MODES } from "@agentwire/protocol/permission";
import type { Command } from "../command.ts";

export const ACP: Command = {
  name: "acp",
  summary: "serves the daemon's agents to editors over the Agent Client Protocol",
  details: `Meant to be started by an editor, which talks to it over stdin and stdout. Sessions belong to the daemon: an editor can list
and load sessions started elsewhere, and questions can be answered in the editor, the console or the terminal, whichever is first.
With --no-daemon, serves only agentwire-agent.`,
  options: [
    {
      name: "agent",
      value: "NAME",
      summary: "the agent for new sessions, by its name in settings.json or doctor",
    },
    { name: "model", value: "NAME", summary: "the model for new sessions" },
    {
      name: "mode",
      value: "MODE",
      summary: "the permission mode for new sessions",
      choices: PERMISSION_MODES,
    },
    { name: "no-daemon", summary: "serves only agentwire-agent, without a daemon" },
  ],
  examples: ["agentwire acp", "agentwire acp --agent gemini", "agentwire acp --no-daemon"],
  run: async (call) => (await import("../acp/acp.ts")).acp(call),
};
