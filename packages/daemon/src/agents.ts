import { findAgent, type SessionOptions } from "@agentwire/host";
import { DaemonError } from "./errors.ts";
import type { SessionRecord } from "./session/record.ts";

/** An agent that sessions can be run with. */
export interface AgentConfig {
  readonly name: string;
  /** A path, or a name on PATH; without it our own agent. */
  readonly path?: string;
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
}

/** The agents of a daemon, and how each is started for a session. */
export class Agents {
  readonly #agents: readonly AgentConfig[];
  readonly #env: Readonly<Record<string, string | undefined>>;
  readonly #silenceMs: number;

  constructor(
    agents: readonly AgentConfig[],
    env: Readonly<Record<string, string | undefined>>,
    silenceMs: number,
  ) {
    this.#agents = agents;
    this.#env = env;
    this.#silenceMs = silenceMs;
  }

  /** The name of the agent that is meant; throws for one that nobody has set up. */
  nameOf(wanted: string): string {
    return this.#find(wanted).name;
  }

  get all(): readonly AgentConfig[] {
    return this.#agents;
  }

  /** The program of an agent. */
  pathOf({ path }: AgentConfig): string {
    // Without a PATH only our own is found.
    return findAgent(path, path === undefined ? {} : this.#env).path;
  }

  /** What starts an agent for a session: anew, in the conversation it had, or in a copy of another's. */
  launch(record: SessionRecord): SessionOptions {
    const agent = this.#find(record.agent);
    return {
      agent: this.pathOf(agent),
      cwd: record.cwd,
      env: { ...this.#env, ...agent.env },
      args: [
        "--include-partial-messages",
        ...conversation(record),
        ...(record.model === "" ? [] : ["--model", record.model]),
        ...(record.mode === "default" ? [] : ["--permission-mode", record.mode]),
        ...(agent.args ?? []),
      ],
      // The ledger has times of its own.
      deadlines: { silenceMs: this.#silenceMs, answerMs: Number.POSITIVE_INFINITY },
    };
  }

  #find(wanted: string): AgentConfig {
    const agent = wanted === "" ? this.#agents[0] : this.#agents.find(({ name }) => name === wanted);
    if (agent) return agent;
    const names = this.#agents.map(({ name }) => name).join(", ");
    throw new DaemonError("INVALID_ARGUMENT", `agent: there is no ${wanted}; choose one of ${names}`);
  }
}

/** A session that has not spoken yet gets its own id, so that it can be found again whatever happens. */
function conversation({ id, agentSessionId, forkedFrom }: SessionRecord): readonly string[] {
  if (agentSessionId === "") return ["--session-id", id];
  const isCopy = forkedFrom !== "" && agentSessionId !== id;
  return isCopy
    ? ["--resume", agentSessionId, "--fork-session", "--session-id", id]
    : ["--resume", agentSessionId];
}
