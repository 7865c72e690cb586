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

/** A session that is in memory. */
export interface OpenSession {
  readonly id: string;
  readonly agent: ReadyAgent;
  readonly handlers: Handlers<typeof hostRequests>;
  /** Settles when it has answered its last prompt. */
  readonly served: Promise<void>;
}

/** What the sessions of a process are made of. */
export interface SessionsParts {
  readonly config: Config;
  readonly host: HostLink;
  readonly database: Database;
  readonly hostInput: HostInput;
  readonly complain: (text: string) => void;
}

type Greeting = RequestOf<typeof hostRequests, "initialize"> & { readonly subtype: "initialize" };

/** How many sessions that do nothing stay in memory. */
const MAX_IDLE = 8;
const MAX_ID_LENGTH = 256;

/** The sessions of one database, each opened when it is first spoken to; at most one of them runs a turn. */
export class Sessions {
  /** What is known from all of them. */
  readonly memory: LongTermMemory;
  readonly #parts: SessionsParts;
  readonly #turnLock = new TurnLock();
  /** The least recently used first. */
  readonly #open = new Map<string, OpenSession>();
  readonly #closing = new Set<Promise<void>>();
  #isEnding = false;
  #model: ReturnType<typeof chooseModel> | undefined;
  /** What the host said to all of them, even to those that are opened later. */
  #greeting: Greeting | undefined;

  constructor(parts: SessionsParts) {
    this.#parts = parts;
    this.memory = new LongTermMemory(parts.database, parts.config.consolidateAfter);
  }

  get all(): readonly OpenSession[] {
    return [...this.#open.values()];
  }

  /** The session whose turn runs, else the one that was used last. */
  get current(): OpenSession | undefined {
    return this.all.find(({ agent }) => agent.session.isRunning) ?? this.all.at(-1);
  }

  /** Does something with a session, which is opened first if need be; whatever the host says next waits for that. */
  speakTo(id: string, work: (session: OpenSession) => void, refuse: (reason: string) => void): void {
    const session = this.#open.get(id);
    if (session) {
      // It is the most recently used one now.
      this.#open.delete(id);
      this.#open.set(id, session);
      work(session);
    } else if (id.length > MAX_ID_LENGTH) refuse(`A session_id has at most ${MAX_ID_LENGTH} characters`);
    else this.#parts.hostInput.hold(this.#bring(id, refuse).then((opened) => opened && work(opened)));
  }

  /** Answers what an earlier process has left in the queues, in its order. */
  answerBacklog(refuse: (reason: string) => void): void {
    const { hostInput, database } = this.#parts;
    const opened = async () => {
      for (const id of sessionsWithPrompts(database)) await this.#bring(id, refuse);
    };
    hostInput.hold(opened());
  }

  /** Ends the turn that runs, and begins no other: what waits is left to a later process. */
  end(): void {
    this.#isEnding = true;
    for (const { agent } of this.all) agent.session.end();
  }

  /** The same, without what would be remembered of it. */
  leave(): void {
    this.end();
    void this.memory.close();
  }

  async #bring(id: string, refuse: (reason: string) => void): Promise<OpenSession | undefined> {
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
      // One model for all: a script continues where the last session left it.
      choose: (sources) => (this.#model ??= chooseModel(sources)),
    });
    if (agent.kind === "refused") throw new UsageError(agent.reason);
    if (this.#isEnding) agent.session.end();
    const handlers = controls(agent.session);
    if (this.#greeting) await handlers.initialize?.(this.#greeting, UNASKED);
    const session = { id, agent, handlers, served: agent.session.serve() };
    this.#open.set(id, session);
    this.#closeIdle();
    return session;
  }

  /** Says hello for the host to every session but one, and from now on to each that is opened. */
  async greet(greeting: Greeting, except: OpenSession): Promise<void> {
    this.#greeting = greeting;
    for (const session of this.all)
      if (session !== except) await session.handlers.initialize?.(greeting, UNASKED);
  }

  /** Resolves when every session has answered its last prompt and is gone. */
  async finish(): Promise<void> {
    // They stay where a signal finds them.
    await Promise.all([...this.all.map(lastTurn), ...this.#closing]);
    await this.memory.settled();
  }

  #closeIdle(): void {
    const idle = this.all.filter(isIdle);
    // The newest is about to be used.
    for (const session of idle.slice(0, Math.max(0, idle.length - 1 - MAX_IDLE))) this.#close(session);
  }

  #close(session: OpenSession): void {
    this.#open.delete(session.id);
    const closed = lastTurn(session).finally(() => this.#closing.delete(closed));
    this.#closing.add(closed);
  }
}

/** Lets a session answer what it has, and ends it. */
async function lastTurn({ agent, served }: OpenSession): Promise<void> {
  agent.session.context.inbox.close();
  await served;
  await agent.close();
}

/** The host asks once: later answers are dropped. */
const UNASKED = { requestId: "", signal: new AbortController().signal, addToAnswer: () => {} };

function isIdle({ agent }: OpenSession): boolean {
  const { inbox, workspace } = agent.session.context;
  return !agent.session.isRunning && inbox.length === 0 && workspace.tasks.running().length === 0;
}
