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
  /** Call this if the process died during a turn of the session. */
  readonly died: () => void;
}

/** How many processes may die during turns of a session before it gets a process to itself. */
const MAX_DEATHS = 2;

/** The shared processes of each agent that is configured for them. */
export class SharedAgents {
  readonly #folder: string;
  readonly #onGroup: (group: number) => () => void;
  readonly #pools = new Map<string, AgentPool>();
  /** How many processes died during a turn of each session; most sessions have no entry. */
  readonly #deaths = new Map<string, number>();

  constructor(folder: string, onGroup: (group: number) => () => void) {
    this.#folder = folder;
    this.#onGroup = onGroup;
  }

  /** The current load of each process. */
  get load(): readonly ProcessLoad[] {
    return [...this.#pools.values()].flatMap(({ load }) => load);
  }

  /** How to start a session in a shared process; undefined if its agent does not share processes. */
  of(agent: SharingAgent, command: readonly [string, ...string[]], sessionId: string): Shared | undefined {
    const { sessionsPerProcess: max = 1 } = agent;
    if (max <= 1) return undefined;
    const pool = this.#poolOf(agent, command, max);
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
    max: number,
  ): AgentPool {
    const key = JSON.stringify([name, command]);
    const pool =
      this.#pools.get(key) ??
      new AgentPool({
        command,
        sessionsPerProcess: () => max,
        folder: this.#folder,
        onGroup: this.#onGroup,
        ...(limits && { limits }),
      });
    this.#pools.set(key, pool);
    return pool;
  }
}
