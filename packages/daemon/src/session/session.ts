import { type Question, SessionStatus } from "@agentwire/api";
import type { Session as HostSession } from "@agentwire/host";
import type { JsonObject } from "@agentwire/protocol";
import type { MessageContent } from "@agentwire/protocol/messages";
import { type Log, within } from "@agentwire/protocol/support";
import { boundary, type Report } from "../boundary.ts";
import { DaemonError } from "../errors.ts";
import { Ledger, type Settlement } from "../permission/ledger.ts";
import type { Timeouts } from "../permission/question-timer.ts";
import type { RuleBook } from "../permission/rule-book.ts";
import type { Audit } from "../store/audit-log.ts";
import type { SessionRecord } from "../store/session-record.ts";
import type { EventLog, StoredSession } from "../store/store.ts";
import type { TraceContext } from "../tracing/trace-context.ts";
import type { Budgets } from "../usage/budgets.ts";
import { Meter } from "../usage/meter.ts";
import { interruptAgent, rewindFiles, takeBack, tellMode } from "./agent-requests.ts";
import { Driver } from "./driver.ts";
import type { DriverOptions } from "./driver-options.ts";
import { type FaultCounts, FaultMonitor } from "./fault-monitor.ts";
import { Gate } from "./gate.ts";
import type { HandedServers } from "./handed-servers.ts";
import { Incidents } from "./incidents.ts";
import { Input } from "./input.ts";
import { Intake } from "./intake.ts";
import { Journal, type JournalOptions } from "./journal.ts";
import type { SessionNews } from "./news.ts";
import { type Accepted, type Prompt, Prompts } from "./prompts.ts";
import type { QueueSize } from "./queue-limits.ts";
import type { Recovery } from "./recovery.ts";
import { backTo, type RewindPoint, rewindPoint } from "./rewind-point.ts";
import type { SessionFacts } from "./session-facts.ts";
import { SessionWorktree } from "./session-worktree.ts";
import { SessionState } from "./state.ts";
import type { Subscriber } from "./subscriber.ts";

/** What a session needs of the daemon. */
export interface SessionDeps
  extends Pick<JournalOptions, "store" | "limits" | "redact" | "onStored">,
    Pick<DriverOptions, "runner" | "idleMs" | "maxPayloadBytes" | "metrics" | "tracing"> {
  /** The daemon's own log. */
  readonly daemonLog: Log;
  readonly rules: RuleBook;
  readonly budgets: Budgets;
  readonly audit: Audit;
  readonly timeouts: () => Timeouts;
  readonly home: string;
  readonly servers: HandedServers;
  /** How long the input holder may leave a request for it unanswered. */
  readonly handOverMs: number;
  /** The total of all sessions' queues. */
  readonly wholeQueue: () => QueueSize;
  readonly report: Report;
  /** Something has happened that people may want to know even if they are not watching. */
  readonly onNews: (news: SessionNews) => void;
  /** A turn is over, however it ended. */
  readonly onTurnEnd: (record: SessionRecord) => void;
}

/** What to rewind, and who requested it. */
export interface RewindWish {
  readonly promptId: string;
  readonly files: boolean;
  readonly conversation: boolean;
  readonly dryRun: boolean;
  readonly by: string;
}

/** How long closing a session waits for a store that accepts no writes. */
const QUIET_MS = 5000;

/**
 /**
  * One conversation, as clients control it: it accepts prompts, asks questions, and reports everything that happens. The file is long because
  * clients have many commands; each is a few lines here, and one of the parts that the constructor lists does the work.
  */
export class Session {
  /** Who may send prompts. */
  readonly input: Input;
  readonly worktree: SessionWorktree;
  readonly journal: Journal;
  readonly #audit: Audit;
  readonly #servers: HandedServers;
  readonly #events: EventLog;
  readonly #state: SessionState;
  readonly #prompts: Prompts;
  readonly #ledger: Ledger;
  readonly #driver: Driver;
  readonly #gate: Gate;
  readonly #faults: FaultMonitor;
  readonly #meter: Meter;
  readonly #intake: Intake;
  /** Whether a client has interrupted the running turn. */
  #isInterrupted = false;
  /** Its state as of the last event that clients were sent. */
  #facts: SessionFacts;

  /** `onLost` is called when the session can't continue: a write has failed for good, or the daemon has a bug. */
  constructor(deps: SessionDeps, stored: StoredSession, onLost: (error: unknown) => void = () => {}) {
    const { record, lastSeq, waiting } = stored;
    this.#audit = deps.audit;
    this.#servers = deps.servers;
    this.#events = deps.store.events;
    const incidents = new Incidents(deps.daemonLog, deps.metrics, record);
    const guard = boundary((error) => {
      deps.report("session", error, { session_id: record.id });
      onLost(error);
    });
    const journal = new Journal({
      ...deps,
      guard,
      sessionId: record.id,
      lastSeq,
      onLost,
      mark: () => {
        const facts = this.#now();
        return () => {
          this.#facts = facts;
        };
      },
      onAttendance: guard((isAttended) => this.#ledger.attended(isAttended)),
      onLeft: guard((client) => this.input.left(client)),
      onEvicted: (client) => incidents.evicted(client),
    });
    const state = new SessionState(journal, record, {
      isAsking: () => this.openQuestions.length > 0,
      onFailed: (reason) => {
        incidents.failed(reason);
        deps.onNews({ kind: "failed", record: this.record, reason });
      },
      onTurnEnd: () => {
        const { record } = this;
        deps.onTurnEnd(record);
        const { turnFailure: reason } = record;
        // Whoever interrupted the turn knows that it is over.
        const isKnown = this.#isInterrupted;
        this.#isInterrupted = false;
        if (!isKnown)
          deps.onNews(reason === "" ? { kind: "done", record } : { kind: "failed", record, reason });
      },
    });
    this.journal = journal;
    this.#state = state;
    this.#prompts = new Prompts(waiting);
    const faults = new FaultMonitor(record.id);
    this.#faults = faults;
    this.#meter = new Meter(stored, deps.budgets);
    this.#ledger = new Ledger({
      guard,
      sessionId: record.id,
      timeouts: deps.timeouts,
      nextSeq: () => journal.nextSeq,
      publish: (drafts, writes) => journal.say(drafts, writes),
      audit: deps.audit,
      now: () => Date.now(),
      onSettled: ({ disposition, by }, waitedMs) => {
        deps.metrics.decided(disposition, by);
        deps.metrics.questionWait.observe(waitedMs / 1000);
      },
    });
    const onAsked = () => {
      this.#driver.asked();
      const question = this.openQuestions.at(-1);
      if (question) deps.onNews({ kind: "asks", record: this.record, question });
    };
    const onAnswered = () => this.#driver.answered();
    this.#gate = new Gate({ ...deps, state, faults, ledger: this.#ledger, onAsked, onAnswered });
    this.#driver = new Driver({
      ...deps,
      guard,
      state,
      journal,
      prompts: this.#prompts,
      faults,
      meter: this.#meter,
      gate: this.#gate,
      incidents,
      onGone: () => this.#ledger.orphanAll(),
    });
    this.#intake = new Intake({
      ...deps,
      journal,
      state,
      prompts: this.#prompts,
      meter: this.#meter,
      onAccepted: () => this.#driver.retry(),
    });
    const { audit } = deps;
    this.worktree = new SessionWorktree({
      audit,
      journal,
      state,
      prompts: this.#prompts,
      driver: this.#driver,
    });
    this.input = new Input(state, deps.handOverMs, guard);
    this.#facts = this.#now();
  }

  get record(): SessionRecord {
    return this.#state.record;
  }

  /** Counts of its agent's output that could not be understood. */
  get troubles(): FaultCounts {
    return this.#faults.troubles;
  }

  /** What clients see: its state as of the last event that they were sent, never ahead of the store. */
  get facts(): SessionFacts {
    return this.#facts;
  }

  /** The running agent, once it accepts prompts; undefined if there is none. */
  get agent(): Promise<HostSession> | undefined {
    return this.#driver.run?.ready();
  }

  get openQuestions(): readonly Question[] {
    return this.#ledger.open;
  }

  /** Prompts whose turn has not started. */
  get queue(): readonly Prompt[] {
    return this.#prompts.queue;
  }

  /** Their number and size, including those on their way to the disk. */
  get queueSize(): QueueSize {
    return this.#intake.queueSize;
  }

  /** Whether it can be unloaded: everything about it is in the store. */
  get isUnused(): boolean {
    return this.#isLeftAlone && this.input.holder === "";
  }

  get #isLeftAlone(): boolean {
    const { subscribers, isQuiet } = this.journal;
    const hasWork = this.#driver.isActive || !this.#prompts.isEmpty;
    return subscribers.size === 0 && !hasWork && isQuiet;
  }

  /** Releases the input of a silent holder, so that it does not keep the session in use. */
  tidy(): void {
    if (this.#isLeftAlone) this.input.forgetSilent();
  }

  /** Settles what an earlier daemon left open, and continues with the prompts it had accepted. */
  async takeUp({ drafts, writes, changes }: Recovery): Promise<void> {
    const isOpen = drafts.length + writes.length > 0;
    if (isOpen) await this.journal.say(drafts, [...writes, this.#state.change(changes)]);
    this.wake();
  }

  /** Marks it as failed; rejects if that can't be stored. */
  async fail(reason: string): Promise<void> {
    this.#state.status(SessionStatus.FAILED, reason);
    await this.journal.say([], []);
  }

  /** Continues with accepted prompts. */
  wake(): void {
    this.#driver.pump();
  }

  /** A budget was raised, or a new day has started. */
  afford(): void {
    this.#driver.afford();
  }

  /** Accepts a prompt: it is on disk when this resolves, and will be answered. The same key is accepted once. */
  async send(
    content: MessageContent,
    client: string,
    key: string | null,
    trace?: TraceContext,
  ): Promise<Accepted> {
    this.worktree.mustBeUsable();
    return this.#intake.send({ content, client, key, trace });
  }

  /** Cancels a prompt whose turn has not started; false if it is too late. */
  async cancel(promptId: string): Promise<boolean> {
    if (!this.#prompts.isQueued(promptId)) return false;
    if (this.#prompts.wasSent(promptId) && !(await takeBack(this.#driver.run, promptId))) {
      // If the agent has exited meanwhile, the prompt is queued here again; otherwise it is too late.
      if (!this.#prompts.isQueued(promptId) || this.#prompts.wasSent(promptId)) return false;
    }
    const { drafts, writes } = this.#prompts.cancelled(promptId);
    if (drafts.length === 0) return false;
    this.#driver.eased("the prompt was withdrawn");
    await this.journal.say(drafts, writes);
    return true;
  }

  /** Moves a prompt whose turn has not started to a place in the queue, from 1; false if it is too late. */
  async move(promptId: string, position: number): Promise<boolean> {
    if (!this.#prompts.isQueued(promptId)) return false;
    await this.#driver.regain();
    const { drafts, writes } = this.#prompts.moved(promptId, position, this.journal.nextSeq);
    if (drafts.length === 0) return false;
    await this.journal.say(drafts, writes);
    this.wake();
    return true;
  }

  /** Ends the running turn; returns the prompts that are still queued, or undefined if nothing was running. */
  async interrupt(): Promise<readonly string[] | undefined> {
    if (this.#state.isAtRest) return undefined;
    this.#isInterrupted = true;
    const breakOff = () => this.#state.tellAll(this.#prompts.brokenOff());
    const { run } = this.#driver;
    if (run) return interruptAgent(run, breakOff);
    if (!this.#driver.isBackingOff) return undefined;
    // Nothing runs between two attempts: the interrupt is for the prompt that would be retried.
    breakOff();
    this.#driver.eased("the turn was interrupted");
    return [];
  }

  async setModel(model: string): Promise<void> {
    await this.#driver.setModel(model);
    await this.journal.say([], [this.#state.change({ model })]);
  }

  async setMode(mode: string, by: string): Promise<void> {
    await tellMode(this.#driver.run, mode);
    const { id: subject, mode: before } = this.record;
    const detail = `${before} to ${mode}`;
    const note = this.#audit({ kind: "mode", actor: by, action: "changed", subject, detail });
    await this.journal.say([], [this.#state.change({ mode }), note]);
  }

  async rename(title: string): Promise<void> {
    await this.journal.say([], [this.#state.change({ title })]);
  }

  /** Hands the agent MCP servers of a client, which replace those handed over before; it has them from the next turn on. */
  async handServers(servers: JsonObject, by: string): Promise<void> {
    const { id: subject } = this.record;
    if (!this.#servers.take(subject, servers)) return;
    const detail = Object.keys(servers).join(", ");
    const note = this.#audit({ kind: "mcp_servers", actor: by, action: "changed", subject, detail });
    await Promise.all([this.journal.say([], [note]), this.#driver.renew()]);
  }

  /** Sets the effort from the next turn on: an agent receives it when it is started. */
  async setEffort(effort: string): Promise<void> {
    const stored = this.journal.say([], [this.#state.change({ effort })]);
    await Promise.all([stored, this.#driver.renew()]);
  }

  async mark(changes: Pick<Partial<SessionRecord>, "archivedMs" | "pinnedMs">): Promise<void> {
    await this.journal.say([], [this.#state.change(changes)]);
  }

  /** Restores files to their state at a prompt, rewinds the conversation to before it, or reports what that would change. */
  async rewind({ promptId, files, conversation, dryRun, by }: RewindWish) {
    if (conversation && !(this.#state.isAtRest && this.#prompts.isEmpty))
      throw new DaemonError("INVALID_ARGUMENT", "a turn is running: interrupt it, or wait for it to end");
    const point = conversation && (await rewindPoint(this.#events, this.record.id, promptId));
    const changed = files && (await rewindFiles(await this.#driver.called(), promptId, dryRun));
    if (point && !dryRun) await this.#takeBack(point, by);
    return {
      ...(changed || { files: [], insertions: 0, deletions: 0 }),
      prompts: point ? point.promptIds.length : 0,
      text: point ? point.text : "",
    };
  }

  /** The next process continues from an earlier message, or starts a new conversation. */
  async #takeBack(point: RewindPoint, client: string): Promise<void> {
    const { promptIds, fromSeq } = point;
    const value = { promptIds: [...promptIds], fromSeq: BigInt(fromSeq), client };
    const stored = this.journal.say(
      [{ body: { case: "conversationRewind", value } }],
      [this.#state.change({ ...backTo(point, this.record), turnFailure: "" })],
    );
    await Promise.all([stored, this.#driver.renew()]);
  }

  /** Watches events after a number; a watching client counts as attending to questions. */
  watch(client: string, afterSeq: number): Subscriber {
    return this.journal.subscribe(client, afterSeq);
  }

  /** The rules have changed: open questions that they now decide are settled, and the agent is told. */
  async reconsider(): Promise<void> {
    await Promise.all([this.#gate.reconsider(), this.#driver.applyRules()]);
  }

  /** Continues with a new process as soon as that interrupts nothing. */
  renew(): Promise<void> {
    return this.#driver.renew();
  }

  /** Settles a question; false if it was settled before. */
  settle(questionId: string, settlement: Settlement): Promise<boolean> {
    return this.#ledger.settle(questionId, settlement);
  }

  /** Takes no more prompts; resolves when the running turn has finished. */
  async drain(): Promise<void> {
    await this.#driver.drain();
    await this.#state.finished();
  }

  /** Ends the process and every stream; queued prompts are kept for the next daemon. */
  async close(reason: string): Promise<void> {
    await this.#driver.close();
    this.#ledger.close();
    this.input.close(reason);
    await within(QUIET_MS, () => this.journal.quiet());
    this.journal.close(reason);
  }

  #now(): SessionFacts {
    return {
      record: this.record,
      openQuestions: this.openQuestions.length,
      queuedPrompts: this.queueSize.prompts,
      usage: this.#meter.total,
    };
  }
}
