import { type Agent, agentElsewhere, assumeAgent, examineAgent, requireSupported } from "../agent/agent.ts";
import { HostError } from "../errors.ts";
import type { Environment } from "../options/environment.ts";
import type { QueryOptions } from "../sdk/own-options.ts";

/** Finds the agent for the options of a query; one that does not report its version is tried anyway. */
export async function queryAgent(options: QueryOptions, env: Environment): Promise<Agent> {
  const { pathToClaudeCodeExecutable: agent, executable, executableArgs, cwd } = options;
  const runtime = { executable, executableArgs };
  if (options.spawnClaudeCodeProcess) return agentElsewhere(agent, runtime);
  const wanted = { agent, env, cwd, runtime };
  try {
    const { assumeVersion } = options.agentwire ?? {};
    if (assumeVersion !== undefined) return assumeAgent(wanted, assumeVersion);
    const examined = await examineAgent(wanted);
    if (examined.version) requireSupported(examined);
    else warnOnce(examined.verdict.message);
    return examined;
  } catch (error) {
    throw inOfficialWords(error, agent);
  }
}

const warned = new Set<string>();
const MAX_WARNINGS = 64;

/** Warns about an unknown agent; once, as most programs run many queries with the same one. */
function warnOnce(message: string): void {
  if (warned.has(message)) return;
  if (warned.size < MAX_WARNINGS) warned.add(message);
  process.emitWarning(message, { code: "AGENTWIRE_UNKNOWN_AGENT" });
}

/** Programs written for the official SDK look for its wording if there is no agent. */
function inOfficialWords(error: unknown, given: string | undefined): unknown {
  if (!(error instanceof HostError) || error.code === "unsupported_version") return error;
  const { code, message } = error;
  const where =
    code === "agent_not_found"
      ? `Claude Code native binary not found at ${given}.`
      : `Claude Code native binary at ${given} exists but failed to launch: ${message}`;
  const text =
    given === undefined
      ? `Native CLI binary for ${process.platform}-${process.arch} not found: ${message}`
      : `${where} Set options.pathToClaudeCodeExecutable to the path of an agent.`;
  return new HostError(code, text, { cause: error });
}
