import { randomUUID } from "node:crypto";
import type { Session as HostSession } from "@agentwire/host";
import type { Runner } from "../session/runner.ts";
import type { SessionRecord } from "../store/session-record.ts";
import { RecentAnswers } from "./recent-answers.ts";

/** The commands and subagents that an agent lists in its handshake. */
export type Typeable = Pick<NonNullable<HostSession["handshake"]>, "commands" | "agents">;

const NONE: Typeable = { commands: [], agents: [] };
const START_MS = 30_000;
/** How long they are cached: they change with the files of a project. */
const FRESH_MS = 30_000;
const MOST = 50;

/** The commands and subagents of sessions. If no session of a kind has a running agent, one is started briefly. */
export class Commands {
  readonly #runner: Runner;
  readonly #known = new RecentAnswers<Typeable>(MOST, FRESH_MS);

  constructor(runner: Runner) {
    this.#runner = runner;
  }

  /** Those of a session, from its running agent if there is one. */
  of(record: SessionRecord, running: Promise<HostSession> | undefined): Promise<Typeable> {
    const kind = JSON.stringify([record.agent, record.cwd]);
    const known = this.#known.get(kind);
    if (known && this.#known.isFresh(kind)) return known;
    const typeable = running
      ? running.then(({ handshake }) => handshake ?? NONE)
      : this.#runner.slots.isFree
        ? this.#asked(record)
        : (known ?? Promise.resolve(NONE));
    this.#known.set(kind, typeable);
    return typeable;
  }

  async #asked(record: SessionRecord): Promise<Typeable> {
    // A new conversation, which is not stored because nothing is said in it.
    const passing = { ...record, id: randomUUID(), agentSessionId: "", forkedFrom: "", worktree: "" };
    const { run, slot } = await this.#runner.run(passing, {}, AbortSignal.timeout(START_MS));
    try {
      return (await run.ready()).handshake ?? NONE;
    } finally {
      await run.close();
      slot.release();
    }
  }
}
