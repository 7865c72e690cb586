import { SessionStatus } from "@agentwire/api";
import type { Said, SessionOptions } from "@agentwire/host";
import { BadLine, type InitMessage, type ResultMessage, truncationMarker } from "@agentwire/protocol";
import type { Launched } from "../agents.ts";
import { AgentRun, type RunEnding } from "./agent-run.ts";
import type { Fault } from "./arrivals.ts";
import type { Draft } from "./events/draft.ts";
import { EventMapper } from "./events/mapper.ts";
import type { Gate } from "./gate.ts";
import type { Journal } from "./journal.ts";
import { limited, rawLine, surelyFits } from "./payload-limit.ts";
import type { PromptNews, Prompts } from "./prompts.ts";
import type { SessionRecord } from "./record.ts";
import { Restarts } from "./restarts.ts";
import type { Scrutiny } from "./scrutiny.ts";
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
  readonly scrutiny: Scrutiny;
  /** What is stored of one message at most. */
  readonly maxPayloadBytes: number;
  readonly launch: (record: SessionRecord, permissions: SessionOptions["permissions"]) => Promise<Launched>;
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
  /** Why the process had to be ended for good. */
  #failure: string | undefined;

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
    const { state, slots } = this.#options;
    this.#isStarting = true;
    try {
      if (!slots.isFree) state.status(SessionStatus.WAITING, "all agents are busy");
      this.#release = await slots.take(this.#closing.signal);
      state.status(SessionStatus.STARTING);
      this.#run = this.#newRun();
    } catch {
      // Only closing ends the wait for a place.
    }
    this.#isStarting = false;
    this.pump();
  }

  #newRun(): AgentRun {
    const { state, launch, gate, scrutiny, maxPayloadBytes } = this.#options;
    const run: AgentRun = new AgentRun(
      async () => {
        const { options, health } = await launch(state.record, (asked, { requestId, signal }) =>
          gate.decide(asked, { requestId, signal, line: run.lineOf(requestId) }),
        );
        scrutiny.begin(health);
        return options;
      },
      surelyFits(maxPayloadBytes),
      {
        said: (message, line) => this.#hear(message, line),
        failed: (fault) => this.#misheard(fault),
        ended: (ending) => void this.#ended(ending),
      },
    );
    return run;
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

  #hear(message: Said, line: string | undefined): Promise<void> | undefined {
    const fitting = this.#fit(message, line);
    return fitting && this.#take(fitting, line);
  }

  #take(message: Said, line: string | undefined): Promise<void> | undefined {
    const { prompts, journal, scrutiny } = this.#options;
    switch (message.type) {
      case "command_lifecycle":
        if (message.state === "started") this.#tell(prompts.started(message.command_uuid));
        return undefined;
      case "result":
        return this.#turnEnded(message, line);
      case "system":
        if (message.subtype === "init") this.#begun(message);
        break;
      case "unknown":
        if (!scrutiny.unknown(message.raw_type)) return undefined;
    }
    journal.note(withLine(this.#mapper.map(message, []), message, line));
    return journal.room;
  }

  /** A message within the limit of what is stored; undefined where nothing of it can be kept but that it came. */
  #fit(message: Said, line: string | undefined): Said | undefined {
    const { scrutiny, maxPayloadBytes } = this.#options;
    const { message: fitting, cutBytes } = limited(message, line, maxPayloadBytes);
    if (cutBytes === undefined) return message;
    scrutiny.cut(`a message of the type ${message.type}`, cutBytes);
    if (fitting) return fitting;
    this.#lost(cutBytes);
    // A turn ends however large the news of it is.
    return message.type === "result" ? essence(message) : undefined;
  }

  #misheard({ fault, line }: Fault): void {
    const { scrutiny, journal } = this.#options;
    if (line instanceof BadLine && line.reason === "too_long") {
      scrutiny.cut("a line", line.bytes);
      this.#lost(line.bytes);
      return;
    }
    const reason = scrutiny.unreadable({ fault, line });
    if (reason === undefined) return;
    journal.note([failure(Object.assign(new Error(reason), { code: "unreadable_message" }), "", true)]);
    this.#failure = reason;
    void this.#run?.close();
  }

  #lost(bytes: number): void {
    const text = `The agent wrote a message that is too long to be kept. ${truncationMarker(bytes)}`;
    this.#options.journal.note([
      { body: { case: "error", value: { code: "line_too_long", message: text } } },
    ]);
  }

  #begun(init: InitMessage): void {
    const { prompts, state, scrutiny } = this.#options;
    const { session_id: agentSessionId } = init;
    scrutiny.begun(init);
    this.#tell(prompts.startedNext());
    if (agentSessionId !== state.record.agentSessionId) state.tell([], [state.change({ agentSessionId })]);
  }

  async #turnEnded(message: ResultMessage, line: string | undefined): Promise<void> {
    const { prompts, journal, state } = this.#options;
    const news = prompts.turnEnded(message.user_message_uuids ?? []);
    this.#restarts.succeeded();
    const stored = journal.say(
      [...withLine(this.#mapper.map(message, news.ids), message, line), ...news.drafts],
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
    const failed = this.#failure;
    this.#failure = undefined;
    if (failed !== undefined) {
      state.status(SessionStatus.FAILED, failed);
      return;
    }
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

/** The first event that comes of a line keeps it. */
function withLine(drafts: readonly Draft[], message: Said, line: string | undefined): readonly Draft[] {
  const [first, ...rest] = drafts;
  if (!first || line === undefined || message.type === "stream_event") return drafts;
  return [{ ...first, line: rawLine(message, line) }, ...rest];
}

/** What a result says without all that may be long. */
function essence(result: ResultMessage): ResultMessage {
  const { structured_output: _, ...rest } = result;
  return { ...rest, result: "", errors: [], permission_denials: [], modelUsage: {} };
}

function failure(error: Error, stderrTail: string, fatal: boolean): Draft {
  const code = "code" in error && typeof error.code === "string" ? error.code : "agent_failed";
  return { body: { case: "error", value: { code, message: error.message, fatal, stderrTail } } };
}
