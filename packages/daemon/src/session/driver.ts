import { SessionStatus } from "@agentwire/api";
import type { Said, SessionOptions } from "@agentwire/host";
import { AgentRun, type RunEnding } from "./agent-run.ts";
import type { Draft } from "./events/draft.ts";
import { EventMapper } from "./events/mapper.ts";
import type { Gate } from "./gate.ts";
import type { Journal } from "./journal.ts";
import type { PromptNews, Prompts } from "./prompts.ts";
import type { SessionRecord } from "./record.ts";
import { Restarts } from "./restarts.ts";
import type { Release, Slots } from "./slots.ts";
import type { SessionState } from "./state.ts";

/** What a driver needs of its session and of the daemon. */
export interface DriverOptions {
  readonly state: SessionState;
  readonly journal: Journal;
  readonly prompts: Prompts;
  readonly gate: Gate;
  readonly slots: Slots;
  /** How long an agent with nothing to do is kept. */
  readonly idleMs: number;
  readonly launch: (record: SessionRecord) => SessionOptions;
  /** The process is gone: its questions can't be answered any more. */
  readonly onGone: () => Promise<void>;
}

/** Runs an agent while there is something to do: starts it, feeds it, listens to it, starts it again when it dies. */
export class Driver {
  readonly #options: DriverOptions;
  readonly #mapper = new EventMapper(() => performance.now());
  readonly #restarts = new Restarts();
  readonly #closing = new AbortController();
  #run: AgentRun | undefined;
  #release: Release | undefined;
  #isStarting = false;
  #timer: NodeJS.Timeout | undefined;

  constructor(options: DriverOptions) {
    this.#options = options;
  }

  /** The process that runs now. */
  get run(): AgentRun | undefined {
    return this.#run;
  }

  /** There may be something to do. */
  pump(): void {
    clearTimeout(this.#timer);
    if (this.#closing.signal.aborted || this.#options.prompts.unsent.length === 0) return;
    if (this.#run) void this.#feed(this.#run);
    else if (!this.#isStarting) void this.#start();
  }

  /** Somebody wants it tried again, however often it failed. */
  retry(): void {
    this.#restarts.forget();
    this.pump();
  }

  async close(): Promise<void> {
    this.#closing.abort();
    clearTimeout(this.#timer);
    await this.#run?.close();
  }

  async #start(): Promise<void> {
    const { state, slots, launch, gate } = this.#options;
    this.#isStarting = true;
    try {
      if (!slots.isFree) state.status(SessionStatus.WAITING, "all agents are busy");
      this.#release = await slots.take(this.#closing.signal);
      state.status(SessionStatus.STARTING);
      this.#run = new AgentRun(
        () => ({
          ...launch(state.record),
          permissions: (asked, { requestId, signal }) => gate.decide(asked, requestId, signal),
        }),
        { said: (message) => this.#hear(message), ended: (ending) => void this.#ended(ending) },
      );
    } catch {
      // Only closing ends the wait for a place.
    }
    this.#isStarting = false;
    this.pump();
  }

  async #feed(run: AgentRun): Promise<void> {
    const { prompts, state } = this.#options;
    const waiting = prompts.unsent;
    for (const { id } of waiting) prompts.sent(id);
    try {
      for (const { id, content } of waiting) await run.send(id, content);
      if (this.#run === run) state.status(SessionStatus.RUNNING);
    } catch {
      // The run's end says why, and gives the prompts back.
    }
  }

  #hear(message: Said): Promise<void> | undefined {
    const { prompts, journal } = this.#options;
    switch (message.type) {
      case "command_lifecycle":
        if (message.state === "started") this.#tell(prompts.started(message.command_uuid));
        return undefined;
      case "result":
        return this.#turnEnded(message);
      case "system":
        if (message.subtype === "init") this.#begun(message.session_id);
        break;
    }
    journal.note(this.#mapper.map(message, []));
    return journal.room;
  }

  #begun(agentSessionId: string): void {
    const { prompts, state } = this.#options;
    this.#tell(prompts.startedNext());
    if (agentSessionId !== state.record.agentSessionId) state.tell([], [state.change({ agentSessionId })]);
  }

  async #turnEnded(message: Extract<Said, { type: "result" }>): Promise<void> {
    const { prompts, journal, state } = this.#options;
    const news = prompts.turnEnded(message.user_message_uuids ?? []);
    this.#restarts.succeeded();
    const stored = journal.say(
      [...this.#mapper.map(message, news.ids), ...news.drafts],
      [...news.writes, state.change({ updatedMs: Date.now() })],
    );
    if (prompts.isEmpty) this.#rest();
    await stored;
  }

  #rest(): void {
    this.#options.state.status(SessionStatus.IDLE, "the turn is over");
    this.#timer = setTimeout(() => void this.#run?.close(), this.#options.idleMs);
    this.#timer.unref();
  }

  async #ended({ error, stderr = "" }: RunEnding): Promise<void> {
    const { state, journal, prompts, onGone } = this.#options;
    this.#run = undefined;
    this.#release?.();
    clearTimeout(this.#timer);
    await onGone();
    this.#tell(prompts.processEnded());
    if (!error) {
      if (!state.isAtRest) state.status(SessionStatus.IDLE, "the agent has ended");
      this.pump();
      return;
    }
    const delay = this.#restarts.crashed(Date.now());
    journal.note([failure(error, stderr, delay === undefined)]);
    if (delay === undefined)
      state.status(SessionStatus.FAILED, "the agent died too often; the next prompt tries again");
    else if (prompts.unsent.length === 0) state.status(SessionStatus.IDLE, "the agent died");
    else {
      state.status(SessionStatus.RECOVERING, `the agent died; it is started again in ${delay} ms`);
      this.#timer = setTimeout(() => this.pump(), delay);
    }
  }

  #tell({ drafts, writes }: PromptNews): void {
    this.#options.state.tell(drafts, writes);
  }
}

function failure(error: Error, stderrTail: string, fatal: boolean): Draft {
  const code = "code" in error && typeof error.code === "string" ? error.code : "agent_failed";
  return { body: { case: "error", value: { code, message: error.message, fatal, stderrTail } } };
}
