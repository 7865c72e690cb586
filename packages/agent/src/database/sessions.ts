import type { Handlers } from "@agentwire/protocol";
import type { hostRequests, RequestOf } from "@agentwire/protocol/control";
import { errorMessage } from "@agentwire/protocol/support";
import type { Config } from "../config/config.ts";
import { controls } from "../control/table.ts";
import type { HostLink } from "../host/host-link.ts";
import { LongTermMemory } from "../memory/long-term-memory.ts";
import { chooseModel } from "../model/choose-model.ts";
import { assemble, type ReadyAgent } from "../session/assemble.ts";
import type { HostInput } from "../session/host-input.ts";
import { TurnLock } from "../session/turn-lock.ts";
import type { Database } from "../store/sqlite/database.ts";
import { sessionsWithPrompts } from "../store/sqlite/sessions.ts";
import { databaseStore } from "../store/sqlite/store.ts";
import { UsageError } from "../usage-error.ts";

/** A session held in memory. */
export interface OpenSession {
  readonly id: string;
  readonly agent: ReadyAgent;
  readonly handlers: Handlers<typeof hostRequests>;
  /** Settles when it has answered its last prompt. */
  readonly served: Promise<void>;
}

/** What the sessions of a process share. */
export interface SessionsParts {
  readonly config: Config;
  readonly host: HostLink;
  readonly database: Database;
  readonly hostInput: HostInput;
  readonly complain: (text: string) => void;
}

type Greeting = RequestOf<typeof hostRequests, "initialize"> & { readonly subtype: "initialize" };

/** The maximum number of idle sessions held in memory. */
const MAX_IDLE = 8;
const MAX_ID_LENGTH = 256;

/** The sessions of one database, each opened on first use; at most one of them runs a turn at a time. */
export class Sessions {
  /** The memory that all of them share. */
  readonly memory: LongTermMemory;
  readonly #parts: SessionsParts;
  readonly #turnLock = new TurnLock();
  /** Least recently used first. */
  readonly #open = new Map<string, OpenSession>();
  readonly #closing = new Set<Promise<void>>();
  #isEnding = false;
  #model: ReturnType<typeof chooseModel> | undefined;
  /** The host's `initialize`, which also applies to sessions opened later. */
  #greeting: Greeting | undefined;

  constructor(parts: SessionsParts) {
    this.#parts = parts;
    this.memory = new LongTermMemory(parts.database, parts.config.consolidateAfter);
  }

  get all(): readonly OpenSession[] {
    return [...this.#open.values()];
  }

  /** The session that runs a turn, or else the one used last. */
  get current(): OpenSession | undefined {
    return this.all.find(({ agent }) => agent.session.isRunning) ?? this.all.at(-1);
  }

  /** Runs `work` with a session, opening it first if necessary; later input from the host waits until then. */
  withSession(id: string, work: (session: OpenSession) => void, refuse: (reason: string) => void): void {
    const session = this.#open.get(id);
    if (session) {
      // Move it to the end: it is now the most recently used one.
      this.#open.delete(id);
      this.#open.set(id, session);
      work(session);
    } else if (id.length > MAX_ID_LENGTH) refuse(`A session_id may have at most ${MAX_ID_LENGTH} characters`);
    else this.#parts.hostInput.hold(this.#openOrRefuse(id, refuse).then((opened) => opened && work(opened)));
  }

  /** Answers the prompts that an earlier process left in the queues, in order. */
  answerQueued(refuse: (reason: string) => void): void {
    const { hostInput, database } = this.#parts;
    const opened = async () => {
      for (const id of sessionsWithPrompts(database)) await this.#openOrRefuse(id, refuse);
    };
    hostInput.hold(opened());
  }

  /** Ends the current turn and starts no other: queued prompts are left to a later process. */
  end(): void {
    this.#isEnding = true;
    for (const { agent } of this.all) agent.session.end();
  }

  /** The same, without updating long-term memory. */
  leave(): void {
    this.end();
    void this.memory.close();
  }

  async #openOrRefuse(id: string, refuse: (reason: string) => void): Promise<OpenSession | undefined> {
    try {
      return await this.#opened(id);
    } catch (error) {
      refuse(`The session can't be opened: ${errorMessage(error)}`);
      return undefined;
    }
  }

  async #opened(id: string): Promise<OpenSession> {
    const { config, host, complain, database, hostInput } = this.#parts;
    const agent = await assemble(config, host, complain, {
      store: databaseStore(database, id, config),
      turnLock: this.#turnLock,
      memory: this.memory,
      hostInput,
      // All sessions share one model, so that a script continues where the last session stopped.
      choose: (sources) => (this.#model ??= chooseModel(sources)),
    });
    if (agent.kind === "refused") throw new UsageError(agent.reason);
    if (this.#isEnding) agent.session.end();
    const handlers = controls(agent.session);
    if (this.#greeting) await handlers.initialize?.(this.#greeting, REPEATED);
    const session = { id, agent, handlers, served: agent.session.serve() };
    this.#open.set(id, session);
    this.#closeIdle();
    return session;
  }

  /** Passes the host's `initialize` on to all sessions but one, and to those opened later. */
  async greet(greeting: Greeting, except: OpenSession): Promise<void> {
    this.#greeting = greeting;
    for (const session of this.all)
      if (session !== except) await session.handlers.initialize?.(greeting, REPEATED);
  }

  /** Resolves when every session has answered its last prompt and is gone. */
  async finish(): Promise<void> {
    // They stay in the map, so that a signal can still end them.
    await Promise.all([...this.all.map(lastTurn), ...this.#closing]);
    await this.memory.settled();
  }

  #closeIdle(): void {
    const idle = this.all.filter(isIdle);
    // Never close the newest: it is about to be used.
    for (const session of idle.slice(0, Math.max(0, idle.length - 1 - MAX_IDLE))) this.#close(session);
  }

  #close(session: OpenSession): void {
    this.#open.delete(session.id);
    const closed = lastTurn(session).finally(() => this.#closing.delete(closed));
    this.#closing.add(closed);
  }
}

/** Closes a session after it has answered its queued prompts. */
async function lastTurn({ agent, served }: OpenSession): Promise<void> {
  agent.session.context.inbox.close();
  await served;
  await agent.close();
}

/** The context of requests repeated for other sessions, whose answers are discarded: the host asked only once. */
const REPEATED = { requestId: "", signal: new AbortController().signal, addToAnswer: () => {} };

function isIdle({ agent }: OpenSession): boolean {
  const { inbox, workspace } = agent.session.context;
  return !agent.session.isRunning && inbox.length === 0 && workspace.tasks.running().length === 0;
}
