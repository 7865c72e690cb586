import { locateAgent } from "../agent/agent.ts";
import { HostError } from "../errors.ts";
import { AgentPool } from "../pool/agent-pool.ts";
import type { ProcessLoad } from "../pool/shared-process.ts";
import type { QueryOptions } from "../sdk/own-options.ts";
import type { Prompt, Query } from "../sdk/query.ts";
import { query } from "./start-query.ts";

/** The options of a pool of our own agents. */
export interface AgentPoolOptions {
  /** How many sessions one process runs at most, 100 by default. */
  readonly sessionsPerProcess?: number;
  /** A private folder for the sockets; one in the temporary folder by default. */
  readonly folder?: string;
}

/** Sessions of our own agent that share a few processes. */
export interface Agents extends AsyncDisposable {
  /** Starts a session as `query()` does, with the same options and meaning, except that the program can't be chosen. */
  query(params: { prompt: Prompt; options?: QueryOptions }): Query;
  /** The current load of each process. */
  readonly load: readonly ProcessLoad[];
  /** Ends all processes, with their sessions. */
  close(): Promise<void>;
}

const SESSIONS_PER_PROCESS = 100;

/** Creates a pool of our own agents: a session in it costs a fraction of a process's memory and startup time. */
export function createAgentPool({
  sessionsPerProcess = SESSIONS_PER_PROCESS,
  folder,
}: AgentPoolOptions = {}): Agents {
  if (!Number.isInteger(sessionsPerProcess) || sessionsPerProcess < 1)
    throw new HostError("invalid_option", "sessionsPerProcess must be a whole number of at least 1");
  const { path, command } = locateAgent({ isOwn: true, env: {} });
  const pool = new AgentPool({
    command,
    sessionsPerProcess: () => sessionsPerProcess,
    ...(folder !== undefined && { folder }),
  });
  const close = () => pool.close();
  return {
    query({ prompt, options = {} }) {
      const chosen = OF_THE_POOL.find((name) => options[name] !== undefined);
      if (chosen) throw new HostError("invalid_option", `${chosen}: the pool chooses the program`);
      return query({
        prompt,
        options: {
          ...options,
          pathToClaudeCodeExecutable: path,
          spawnClaudeCodeProcess: (wanted) => pool.spawn(wanted),
        },
      });
    },
    get load() {
      return pool.load;
    },
    close,
    [Symbol.asyncDispose]: close,
  };
}

const OF_THE_POOL = [
  "pathToClaudeCodeExecutable",
  "spawnClaudeCodeProcess",
  "executable",
  "executableArgs",
] as const;
