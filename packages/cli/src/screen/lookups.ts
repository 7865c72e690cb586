import type { Client } from "../talk/client.ts";
import { agentCommands, askingElsewhere, fileEntries, modelEntries, sessionEntries } from "./lists.ts";
import type { LiveScreen } from "./live-screen.ts";
import type { ListKind } from "./model/effects.ts";
import { withCommands } from "./model/press-picker.ts";
import { withEntries, withOpen } from "./model/state.ts";

/** How often other sessions are asked about. */
const LOOK_MS = 3000;

/** Looks up at the daemon what the screen shows beside the events of its session. */
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

  /** Fills a list; `agent` is whose models are wanted where there is no session. */
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
        // A session that is not there yet has no agent that could say.
        if (sessionId === undefined) return;
        const entries = withCommands(await agentCommands(this.#client, sessionId));
        return this.#screen.update((state) => withEntries(state, kind, entries));
      }
    }
  }

  /** The files for what is typed: one question at a time, since people type faster than large folders are looked through. */
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

  /** How full the context of the session is; only a running agent knows. */
  async context(sessionId: string): Promise<void> {
    const context = await this.#client.workspace.getContext({ sessionId }).catch(() => undefined);
    if (!context?.isKnown || this.sessionId !== sessionId) return;
    const { usedTokens, maxTokens } = context;
    this.#screen.update((state) => ({
      ...state,
      context: { used: Number(usedTokens), most: Number(maxTokens) },
    }));
  }

  /** Questions and prompts from before the events that are shown. */
  async open(sessionId: string): Promise<void> {
    const [{ questions }, { queue }] = await Promise.all([
      this.#client.questions.listQuestions({ sessionId }),
      this.#client.sessions.getSession({ sessionId }),
    ]);
    if (this.sessionId === sessionId)
      this.#screen.update((state) => withOpen(state, questions, queue, Date.now()));
  }

  /** Looks for other sessions that ask, again and again. */
  start(): void {
    const again = async () => {
      // Without a daemon the screen says so by itself.
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
