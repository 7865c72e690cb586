import { collectQuestions } from "@agentwire/api";
import type { Client } from "../talk/client.ts";
import { agentCommands, askingElsewhere, fileEntries, modelEntries, sessionEntries } from "./lists.ts";
import type { LiveScreen } from "./live-screen.ts";
import type { ListKind } from "./model/effects.ts";
import { withCommands } from "./model/press-picker.ts";
import { withEntries, withOpen } from "./model/state.ts";

/** How often to check whether other sessions are asking. */
const LOOK_MS = 3000;

/** Fetches what the screen shows beyond the events of its session. */
export class Lookups {
  readonly #client: Client;
  readonly #screen: LiveScreen;
  #looking: NodeJS.Timeout | undefined;
  #isFinding = false;

  constructor(client: Client, screen: LiveScreen) {
    this.#client = client;
    this.#screen = screen;
  }

  get sessionId(): string | undefined {
    return this.#screen.state.facts?.session.id;
  }

  /** Fills a list; without a session, `agent` selects whose models to list. */
  async list(kind: ListKind, agent: string): Promise<void> {
    const { sessionId } = this;
    switch (kind) {
      case "sessions": {
        const entries = await sessionEntries(this.#client, Date.now());
        return this.#screen.update((state) => withEntries(state, kind, entries));
      }
      case "models": {
        const { facts } = this.#screen.state;
        const entries = await modelEntries(this.#client, facts?.session.agent ?? agent);
        return this.#screen.update((state) => withEntries(state, kind, entries));
      }
      case "commands": {
        // A session that does not exist yet has no agent to ask.
        if (sessionId === undefined) return;
        const entries = withCommands(await agentCommands(this.#client, sessionId));
        return this.#screen.update((state) => withEntries(state, kind, entries));
      }
    }
  }

  /** Finds files for the typed query, one search at a time, because people type faster than large folders are searched. */
  async find(): Promise<void> {
    if (this.#isFinding) return;
    this.#isFinding = true;
    try {
      for (;;) {
        const { picker, cwd } = this.#screen.state;
        if (picker?.kind !== "files" || picker.query === picker.foundFor) return;
        const { query } = picker;
        const { sessionId } = this;
        const where = sessionId === undefined ? { cwd } : { sessionId };
        const entries = await fileEntries(this.#client, where, query);
        this.#screen.update((state) => withEntries(state, "files", entries, query));
      }
    } finally {
      this.#isFinding = false;
    }
  }

  /** Fetches how full the session's context is, which only a running agent knows. */
  async context(sessionId: string): Promise<void> {
    const context = await this.#client.workspace.getContext({ sessionId }).catch(() => undefined);
    if (!context?.isKnown || this.sessionId !== sessionId) return;
    const { usedTokens, maxTokens } = context;
    this.#screen.update((state) => ({
      ...state,
      context: { used: Number(usedTokens), max: Number(maxTokens) },
    }));
  }

  /** Fetches open questions and queued prompts that are older than the events shown. */
  async open(sessionId: string): Promise<void> {
    const [{ questions }, { queue }] = await Promise.all([
      collectQuestions(this.#client.questions, { sessionId }),
      this.#client.sessions.getSession({ sessionId }),
    ]);
    if (this.sessionId === sessionId)
      this.#screen.update((state) => withOpen(state, questions, queue, Date.now()));
  }

  /** Starts checking periodically whether other sessions are asking. */
  start(): void {
    const again = async () => {
      // The screen itself reports a lost daemon.
      const asking = await askingElsewhere(this.#client, this.sessionId ?? "").catch(() => undefined);
      if (asking !== undefined && asking !== this.#screen.state.askingElsewhere)
        this.#screen.update((state) => ({ ...state, askingElsewhere: asking }));
      if (this.#looking) this.#looking = setTimeout(again, LOOK_MS);
    };
    this.#looking = setTimeout(again, 0);
  }

  stop(): void {
    clearTimeout(this.#looking);
    this.#looking = undefined;
  }
}
