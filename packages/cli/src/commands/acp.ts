import { PERMISSION_MODES } from "@agentwire/protocol/permission";
import type { Command } from "../command.ts";

export const ACP: Command = {
  name: "acp",
  summary: "is an agent for editors, in the Agent Client Protocol: any agent of the daemon behind it",
  details: `Meant to be started by an editor, which speaks to it on stdin and stdout. Sessions are those of the daemon: an editor can list and
load those that began elsewhere, and questions are answered in the editor, the console or the terminal, whoever is first.
With --no-daemon our own agent answers alone.`,
  options: [
    {
      name: "agent",
      value: "NAME",
      summary: "the agent of new sessions, by its name in settings.json or doctor",
    },
    { name: "model", value: "NAME", summary: "the model of new sessions" },
    {
      name: "mode",
      value: "MODE",
      summary: "the permission mode of new sessions",
      choices: PERMISSION_MODES,
    },
    { name: "no-daemon", summary: "our own agent alone" },
  ],
  examples: ["agentwire acp", "agentwire acp --agent gemini", "agentwire acp --no-daemon"],
  run: async (call) => (await import("../acp/acp.ts")).acp(call),
};
