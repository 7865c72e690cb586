import type { AgentConfig } from "@agentwire/daemon";
import { examineAgent } from "@agentwire/host/agent";
import { onPath } from "@agentwire/local/files";
import type { Io } from "../io.ts";
import type { Finding } from "./finding.ts";

/** Agents that speak the Agent Client Protocol: the program, and what makes it do so. */
const KNOWN: readonly {
  readonly program: string;
  readonly args: readonly string[];
}[] = [
  { program: "gemini", args: ["--acp"] },
  { program: "opencode", args: ["acp"] },
  { program: "codex-acp", args: [] },
  { program: "qwen", args: ["--acp"] },
  { program: "goose", args: ["acp"] },
  { program: "claude-agent-acp", args: [] },
];

/** The agents of the Agent Client Protocol that are installed and not among the daemon's. */
export async function examineAcpAgents(
  agents: readonly AgentConfig[],
  { env }: Io,
): Promise<readonly Finding[]> {
  const found = KNOWN.flatMap((known) => {
    const path = onPath(known.program, env);
    const isConfigured = agents.some((agent) => agent.path === known.program || agent.path === path);
    return path === undefined || isConfigured ? [] : [{ ...known, path }];
  });
  return Promise.all(
    found.map(async ({ program, args, path }) => {
      const { verdict } = await examineAgent({ agent: path, env, dialect: "acp" });
      const entry = { path: program, ...(args.length > 0 && { args }), dialect: "acp" };
      return {
        level: "ok",
        about: `agent ${program}`,
        text: `${verdict.message} at ${path}; it is not among the agents of settings.json`,
        advice: `to use it, add it to "agents" there: "${program}": ${JSON.stringify(entry)}; it asks for a login when it wants one`,
      } as const;
    }),
  );
}
