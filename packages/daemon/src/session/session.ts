import { randomUUID } from "node:crypto";
import { PromptState, type Question } from "@agentwire/api";
import type { Session as HostSession } from "@agentwire/host";
import { type MessageContent, supports, within } from "@agentwire/protocol";
import { DaemonError } from "../errors.ts";
import type { Metrics } from "../metrics/metrics.ts";
import { Ledger, type Settlement } from "../permission/ledger.ts";
import type { Timeouts } from "../permission/patience.ts";
import type { RuleBook } from "../permission/rule-book.ts";
import type { Audit } from "../store/audit-log.ts";
import type { Database } from "../store/database.ts";
import type { TraceContext } from "../tracing/trace-context.ts";
import type { Amount } from "../usage/amount.ts";
import type { Budgets } from "../usage/budgets.ts";
import { Meter } from "../usage/meter.ts";
import { Driver, type DriverOptions } from "./driver.ts";
import { Gate } from "./gate.ts";
import { Input } from "./input.ts";
import { Journal, type JournalOptions } from "./journal.ts";
import { type Accepted, acceptedBefore, acceptWrite, type Prompt, Prompts, textOf } from "./prompts.ts";
import type { SessionRecord } from "./record.ts";
import { Scrutiny, type Troubles } from "./scrutiny.ts";
import { SessionState } from "./state.ts";
import type { Subscriber } from "./subscriber.ts";

/** What a session needs of the daemon. */
export interface SessionDeps
  extends Pick<JournalOptions, "writer" | "log" | "rawLog" | "limits" | "redact">,
    Pick<DriverOptions, "runner" | "idleMs" | "maxPayloadBytes" | "metrics" | "tracing"> {
  readonly db: Database;
  readonly rules: RuleBook;
  readonly budgets: Budgets;
  readonly audit: Audit;
  readonly timeouts: Timeouts;
  readonly home: string;
}

/** How long the end of a session waits for a store that takes nothing. */
const QUIET_MS = 5000;

/** One conversation, as clients command it: it takes prompts, asks, and tells everyone what happens. */
export class Session {
  /** Who may send prompts. */
  readonly input: Input;
  readonly journal: Journal;
  readonly #db: Database;
  readonly #audit: Audit;
  readonly #state: SessionState;
  readonly #prompts: Prompts;
  readonly #ledger: Ledger;
  readonly #driver: Driver;
  readonly #gate: Gate;
  readonly #scrutiny: Scrutiny;
  readonly #meter: Meter;
  readonly #metrics: Metrics;
  /** How many prompts are on their way to the disk. */
  #arriving = 0;
  /** Prompts with a key that are on their way to the disk. */
  readonly #accepting = new Map<string, Promise<Accepted>>();

  /** `onLost` is told when the session can't be gone on with: the store has refused something for good. */
  constructor(
    deps: SessionDeps,
    record: SessionRecord,
    waiting: readonly Prompt[],
    onLost: () => void = () => {},
  ) {
    this.#db = deps.db;
    this.#audit = deps.audit;
    this.#metrics = deps.metrics;
    const journal = new Journal({
      ...deps,
      sessionId: record.id,
      onLost,
      onAttendance: (isAttended) => this.#ledger.attended(isAttended),
      onLeft: (client) => this.input.release(client),
    });
    const state = new SessionState(journal, record);
    this.journal = journal;
    this.#state = state;
    this.#prompts = new Prompts(waiting);
    const scrutiny = new Scrutiny(record.id);
    this.#scrutiny = scrutiny;
    this.#meter = new Meter(record.id, deps.db, deps.budgets);
    this.#ledger = new Ledger({
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
    this.#gate = new Gate({ ...deps, state, scrutiny, ledger: this.#ledger });
    this.#driver = new Driver({
      ...deps,
      state,
      journal,
      prompts: this.#prompts,
      scrutiny,
      meter: this.#meter,
      gate: this.#gate,
      onGone: () => this.#ledger.orphanAll(),
    });
    this.input = new Input((client, previous) =>
      state.tell([{ body: { case: "inputHolderChange", value: { client, previous } } }]),
    );
  }

  get record(): SessionRecord {
    return this.#state.record;
  }

  /** What its agent has said that nobody could make sense of. */
  get troubles(): Troubles {
    return this.#scrutiny.troubles;
  }

  /** What it has used, across all processes that have served it. */
  get usage(): Amount {
    return this.#meter.total;
  }

  get openQuestions(): readonly Question[] {
    return this.#ledger.open;
  }

  /** Prompts that no turn has begun with. */
  get queue(): readonly Prompt[] {
    return this.#prompts.queue;
  }

  get queuedPrompts(): number {
    return this.#prompts.queued;
  }

  /** Whether it could be forgotten until somebody asks for it: everything about it is in the store. */
  get isUnused(): boolean {
    const { subscribers, isQuiet } = this.journal;
    const hasWork = this.#driver.isActive || !this.#prompts.isEmpty;
    return subscribers.size === 0 && this.input.holder === "" && !hasWork && isQuiet;
  }

  /** Goes on with what an earlier daemon had accepted. */
  wake(): void {
    this.#driver.pump();
  }

  /** A budget was raised, or a new day has begun. */
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
    if (key === null) return this.#accept(content, client, key, trace);
    const known = this.#accepting.get(key) ?? acceptedBefore(this.#db, this.record.id, key);
    if (known) return { ...(await known), isNew: false };
    const accepting = this.#accept(content, client, key, trace);
    this.#accepting.set(key, accepting);
    return accepting.finally(() => this.#accepting.delete(key));
  }

  /** Takes a prompt back that no turn has begun with; false if it is too late. */
  async cancel(promptId: string): Promise<boolean> {
    if (!this.#prompts.isQueued(promptId)) return false;
    if (this.#prompts.wasSent(promptId) && !(await this.#takenBack(promptId))) return false;
    const { drafts, writes } = this.#prompts.cancelled(promptId);
    if (drafts.length === 0) return false;
    this.#driver.eased();
    await this.journal.say(drafts, writes);
    return true;
  }

  /** Ends the running turn; the prompts that still wait, or undefined if nothing ran. */
  async interrupt(): Promise<readonly string[] | undefined> {
    if (this.#state.isAtRest) return undefined;
    const run = this.#driver.run;
    const agent = await run?.ready();
    if (!run || !agent) return undefined;
    if (takesRequests(agent)) return (await agent.request("interrupt", {})).still_queued ?? [];
    // It can only be ended; the next prompt takes up the conversation again.
    await run.close();
    return [];
  }

  async setModel(model: string): Promise<void> {
    const agent = await this.#driver.run?.ready();
    if (agent && takesRequests(agent)) await agent.request("set_model", { model });
    await this.journal.say([], [this.#state.change({ model })]);
  }

  async setMode(mode: string, by: string): Promise<void> {
    const agent = await this.#driver.run?.ready();
    if (agent && takesRequests(agent)) await agent.request("set_permission_mode", { mode });
    const { id: subject, mode: before } = this.record;
    const note = this.#audit({
      kind: "mode",
      actor: by,
      action: "changed",
      subject,
      detail: `${before} to ${mode}`,
    });
    await this.journal.say([], [this.#state.change({ mode }), note]);
  }

  async rename(title: string): Promise<void> {
    await this.journal.say([], [this.#state.change({ title })]);
  }

  /** Puts files back to what they were at a prompt, or tells what that would change. */
  async rewind(promptId: string, dryRun: boolean) {
    const agent = await this.#driver.run?.ready();
    if (!agent) throw new DaemonError("AGENT_FAILED", "send a prompt first: no agent of this session runs");
    const answer = await agent.request("rewind_files", { user_message_id: promptId, dry_run: dryRun });
    if (!answer.canRewind) throw new DaemonError("AGENT_FAILED", answer.error ?? "it can't be rewound");
    const { filesChanged: files = [], insertions = 0, deletions = 0 } = answer;
    return { files, insertions, deletions };
  }

  /** Watches from after a number on; whoever watches also attends to questions. */
  watch(client: string, afterSeq: number): Subscriber {
    return this.journal.subscribe(client, afterSeq);
  }

  /** The rules have changed: open questions that they decide now are decided. */
  reconsider(): Promise<void> {
    return this.#gate.reconsider();
  }

  /** Ends a question; false if it had ended before. */
  settle(questionId: string, settlement: Settlement): Promise<boolean> {
    return this.#ledger.settle(questionId, settlement);
  }

  /** Takes nothing more; resolves when the turn that runs has come to its end. */
  async drain(): Promise<void> {
    this.#driver.drain();
    await this.#state.finished();
  }

  /** Ends the process and every stream; what waits is kept for the next daemon. */
  async close(reason: string): Promise<void> {
    await this.#driver.close();
    this.#ledger.close();
    await within(QUIET_MS, () => this.journal.quiet());
    this.journal.close(reason);
  }

  /** Asks the agent to forget a prompt that it was given. */
  async #takenBack(promptId: string): Promise<boolean> {
    try {
      const agent = await this.#driver.run?.ready();
      const answer = await agent?.request("cancel_async_message", { message_uuid: promptId });
      if (answer?.cancelled) return true;
    } catch {
      // It has gone, or can't do that: the prompt is back with us, or it is too late.
    }
    return this.#prompts.isQueued(promptId) && !this.#prompts.wasSent(promptId);
  }

  async #accept(...[content, client, key, trace]: Parameters<Session["send"]>): Promise<Accepted> {
    if (this.#prompts.queued + this.#arriving >= MAX_WAITING_PROMPTS)
      throw new DaemonError("TOO_MANY", `${MAX_WAITING_PROMPTS} prompts wait in this session already`);
    this.#state.tell(this.#meter.notices());
    this.#meter.mustAfford();
    const promptId = randomUUID();
    const seq = this.journal.nextSeq;
    const text = textOf(content);
    const contentJson = typeof content === "string" ? "" : JSON.stringify(content);
    const { id, firstPrompt } = this.record;
    this.#arriving++;
    const stored = this.journal.say(
      [{ body: { case: "userInput", value: { promptId, text, contentJson, client } } }],
      [
        acceptWrite({ promptId, sessionId: id, key, content, client, state: PromptState.QUEUED, seq }),
        this.#state.change({
          updatedMs: Date.now(),
          ...(firstPrompt === "" && { firstPrompt: text.slice(0, FIRST_PROMPT_CHARS) }),
        }),
      ],
    );
    await stored.finally(() => this.#arriving--);
    this.#metrics.prompts.add(1);
    this.#prompts.add({ id: promptId, content, trace });
    this.#driver.retry();
    return { promptId, seq, isNew: true };
  }
}

/** Agents from before that take nothing but prompts. */
const takesRequests = ({ agent }: HostSession) => supports(agent.version, undefined, "control_requests");

const FIRST_PROMPT_CHARS = 200;
/** Nobody waits for the answer to so many; each of them is in memory. */
const MAX_WAITING_PROMPTS = 1000;
