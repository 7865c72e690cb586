import type { SpawnedProcess, SpawnOptions } from "@agentwire/host";
import { AgentPool, type ProcessLimits, type ProcessLoad } from "@agentwire/host/agent";

/** An agent whose sessions share processes. */
interface SharingAgent {
  readonly name: string;
  readonly sessionsPerProcess?: number;
  readonly processLimits?: Partial<ProcessLimits>;
}

/** How a session runs in a process with others. */
export interface Shared {
  readonly spawn: (options: SpawnOptions) => SpawnedProcess;
  /** To be called if its process died while the session worked in it. */
  readonly died: () => void;
}

/** How often a process may die under a working session before that gets one of its own. */
const MAX_DEATHS = 2;

/** The processes that sessions share, for each agent that is set up so. */
export class SharedAgents {
  readonly #folder: string;
  readonly #onGroup: (group: number) => () => void;
  readonly #pools = new Map<string, AgentPool>();
  /** In how many deaths of a process each session had a turn; most have none. */
  readonly #deaths = new Map<string, number>();

  constructor(folder: string, onGroup: (group: number) => () => void) {
    this.#folder = folder;
    this.#onGroup = onGroup;
  }

  /** How each of the processes is. */
  get load(): readonly ProcessLoad[] {
    return [...this.#pools.values()].flatMap(({ load }) => load);
  }

  /** How a session is to be started; undefined where its agent shares nothing. */
  of(agent: SharingAgent, command: readonly [string, ...string[]], sessionId: string): Shared | undefined {
    const { sessionsPerProcess: most = 1 } = agent;
    if (most <= 1) return undefined;
    const pool = this.#poolOf(agent, command, most);
    return {
      spawn: (options) => pool.spawn(options, { isAlone: (this.#deaths.get(sessionId) ?? 0) >= MAX_DEATHS }),
      died: () => void this.#deaths.set(sessionId, (this.#deaths.get(sessionId) ?? 0) + 1),
    };
  }

  /** Ends all of them. */
  async close(): Promise<void> {
    await Promise.all([...this.#pools.values()].map((pool) => pool.close()));
  }

  #poolOf(
    { name, processLimits: limits }: SharingAgent,
    command: readonly [string, ...string[]],
    most: number,
  ): AgentPool {
    const key = JSON.stringify([name, command]);
    const pool =
      this.#pools.get(key) ??
      new AgentPool({
        command,
        sessionsPerProcess: () => most,
        folder: this.#folder,
        onGroup: this.#onGroup,
        ...(limits && { limits }),
      });
    this.#pools.set(key, pool);
    return pool;
  }
}
