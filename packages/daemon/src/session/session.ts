import { randomUUID } from "node:crypto";
import { Disposition, PromptState, type Question, SessionStatus } from "@agentwire/api";
import type { Said, SessionOptions } from "@agentwire/host";
import type { MessageContent, PermissionResult } from "@agentwire/protocol";
import { DaemonError } from "../errors.ts";
import { evaluate, nameOf } from "../permission/engine.ts";
import { Ledger, type Settlement } from "../permission/ledger.ts";
import type { Timeouts } from "../permission/patience.ts";
import { ASK_USER, type ToolQuestion } from "../permission/question.ts";
import type { RuleBook } from "../permission/rule-book.ts";
import type { Database } from "../store/database.ts";
import { AgentRun, type RunEnding } from "./agent-run.ts";
import type { Draft } from "./events/draft.ts";
import { EventMapper } from "./events/mapper.ts";
import { Input } from "./input.ts";
import { Journal, type JournalOptions } from "./journal.ts";
import { type Prompt, type PromptNews, Prompts } from "./prompts.ts";
import { type SessionRecord, updateSession } from "./record.ts";
import { Restarts } from "./restarts.ts";
import type { Release, Slots } from "./slots.ts";
import type { Subscriber } from "./subscriber.ts";

/** What a session needs of the daemon. */
export interface SessionDeps extends Omit<JournalOptions, "sessionId" | "onLost" | "onAttendance"> {
  readonly db: Database;
  readonly rules: RuleBook;
  readonly slots: Slots;
  readonly timeouts: Timeouts;
  /** How long an agent with nothing to do is kept. */
  readonly idleMs: number;
  readonly home: string;
  /** What starts the agent of a session; `isKnown` when the agent has the conversation already. */
  readonly launch: (record: SessionRecord) => SessionOptions;
}

/** A prompt that was accepted, now or under the same key before. */
export interface Accepted {
  readonly promptId: string;
  readonly seq: number;
  readonly isNew: boolean;
}

/** One conversation: takes prompts, runs an agent when there is something to do, and tells everyone what happens. */
export class Session {
  readonly #deps: SessionDeps;
  readonly #journal: Journal;
  readonly #ledger: Ledger;
  readonly #prompts: Prompts;
  readonly #mapper = new EventMapper(() => performance.now());
  readonly #restarts = new Restarts();
  readonly #closing = new AbortController();
  /** Who may send prompts. */
  readonly input = new Input((client, previous) => {
    void this.#tell({
      drafts: [{ body: { case: "inputHolderChange", value: { client, previous } } }],
      writes: [],
    });
  });
  /** Prompts with a key that are on their way to the disk. */
  readonly #accepting = new Map<string, Promise<Accepted>>();
  #record: SessionRecord;
  #run: AgentRun | undefined;
  #release: Release | undefined;
  #isStarting = false;
  #idleTimer: NodeJS.Timeout | undefined;

  constructor(deps: SessionDeps, record: SessionRecord, waiting: readonly Prompt[]) {
    this.#deps = deps;
    this.#record = record;
    this.#journal = new Journal({
      ...deps,
      sessionId: record.id,
      onLost: () => this.#run?.close(),
      onAttendance: (isAttended) => this.#ledger.attended(isAttended),
    });
    this.#prompts = new Prompts(waiting);
    this.#ledger = new Ledger({
      sessionId: record.id,
      timeouts: deps.timeouts,
      nextSeq: () => this.#journal.nextSeq,
      publish: (drafts, writes) => this.#journal.say(drafts, writes),
      now: () => Date.now(),
    });
  }

  get record(): SessionRecord {
    return this.#record;
  }

  get journal(): Journal {
    return this.#journal;
  }

  get openQuestions(): readonly Question[] {
    return this.#ledger.open;
  }

  get queuedPrompts(): number {
    return this.#prompts.queued;
  }

  /** Goes on with what an earlier daemon had accepted. */
  wake(): void {
    this.#pump();
  }

  /** Accepts a prompt: it is on disk when this resolves, and will be answered. */
  async send(content: MessageContent, client: string, key: string | null): Promise<Accepted> {
    if (key === null) return this.#accept(content, client, key);
    const known = this.#accepting.get(key) ?? findAccepted(this.#deps.db, this.#record.id, key);
    if (known) return { ...(await known), isNew: false };
    const accepting = this.#accept(content, client, key);
    this.#accepting.set(key, accepting);
    return accepting.finally(() => this.#accepting.delete(key));
  }

  async #accept(content: MessageContent, client: string, key: string | null): Promise<Accepted> {
    const id = randomUUID();
    const seq = this.#journal.nextSeq;
    const text = textOf(content);
    const json = typeof content === "string" ? "" : JSON.stringify(content);
    await this.#journal.say(
      [{ body: { case: "userInput", value: { promptId: id, text, contentJson: json, client } } }],
      [
        {
          sql: "INSERT INTO prompts (id, session_id, idempotency_key, content, client, state, seq) VALUES (?, ?, ?, ?, ?, ?, ?)",
          values: [id, this.#record.id, key, JSON.stringify(content), client, PromptState.QUEUED, seq],
        },
        this.#changed({
          updatedMs: Date.now(),
          ...(this.#record.firstPrompt === "" && { firstPrompt: text.slice(0, FIRST_PROMPT_CHARS) }),
        }),
      ],
    );
    this.#prompts.add({ id, content });
    this.#restarts.forget();
    this.#pump();
    return { promptId: id, seq, isNew: true };
  }

  /** Takes a prompt back that no turn has begun with; false if it is too late. */
  async cancel(promptId: string): Promise<boolean> {
    if (!this.#prompts.isQueued(promptId)) return false;
    if (this.#prompts.wasSent(promptId)) {
      const agent = await this.#run?.ready();
      const answer = await agent?.request("cancel_async_message", { message_uuid: promptId });
      if (!answer?.cancelled) return false;
    }
    await this.#tell(this.#prompts.cancelled(promptId));
    return true;
  }

  /** Ends the running turn; the prompts that still wait, or undefined if nothing ran. */
  async interrupt(): Promise<readonly string[] | undefined> {
    if (!this.#run) return undefined;
    const agent = await this.#run.ready();
    const answer = await agent.request("interrupt", {});
    return answer.still_queued;
  }

  async setModel(model: string): Promise<void> {
    const agent = await this.#run?.ready();
    await agent?.request("set_model", { model });
    await this.#journal.say([], [this.#changed({ model })]);
  }

  async setMode(mode: string): Promise<void> {
    const agent = await this.#run?.ready();
    await agent?.request("set_permission_mode", { mode });
    await this.#journal.say([], [this.#changed({ mode })]);
  }

  /** Puts files back to what they were at a prompt, or tells what that would change. */
  async rewind(promptId: string, dryRun: boolean) {
    const agent = await this.#run?.ready();
    if (!agent) throw new DaemonError("AGENT_FAILED", "send a prompt first: no agent of this session runs");
    const answer = await agent.request("rewind_files", { user_message_id: promptId, dry_run: dryRun });
    if (answer.canRewind === false)
      throw new DaemonError("AGENT_FAILED", answer.error ?? "it can't be rewound");
    return {
      files: answer.filesChanged ?? [],
      insertions: answer.insertions ?? 0,
      deletions: answer.deletions ?? 0,
    };
  }

  async rename(title: string): Promise<void> {
    await this.#journal.say([], [this.#changed({ title })]);
  }

  /** Watches from after a number on; whoever watches also attends to questions. */
  watch(client: string, afterSeq: number): Subscriber {
    return this.#journal.subscribe(client, afterSeq);
  }

  /** Ends a question; false if it had ended before. */
  settle(questionId: string, settlement: Settlement): Promise<boolean> {
    return this.#ledger.settle(questionId, settlement);
  }

  /** Ends the process and every stream; what waits is kept for the next daemon. */
  async close(reason: string): Promise<void> {
    this.#closing.abort();
    clearTimeout(this.#idleTimer);
    await this.#run?.close();
    this.#ledger.close();
    this.#journal.close(reason);
  }

  #pump(): void {
    clearTimeout(this.#idleTimer);
    if (this.#closing.signal.aborted || this.#prompts.unsent.length === 0) return;
    if (this.#run) void this.#feed(this.#run);
    else if (!this.#isStarting) void this.#start();
  }

  async #start(): Promise<void> {
    this.#isStarting = true;
    try {
      if (!this.#deps.slots.isFree) this.#status(SessionStatus.WAITING, "all agents are busy");
      this.#release = await this.#deps.slots.take(this.#closing.signal);
      this.#status(SessionStatus.STARTING, "");
      const options = this.#deps.launch(this.#record);
      this.#run = new AgentRun(
        { ...options, permissions: (asked, { requestId, signal }) => this.#decide(asked, requestId, signal) },
        { said: (message) => this.#hear(message), ended: (ending) => void this.#ended(ending) },
      );
    } catch {
      // Only closing ends the wait for a place.
    } finally {
      this.#isStarting = false;
    }
    this.#pump();
  }

  async #feed(run: AgentRun): Promise<void> {
    const prompts = this.#prompts.unsent;
    for (const { id } of prompts) this.#prompts.sent(id);
    try {
      for (const { id, content } of prompts) await run.send(id, content);
      if (this.#run === run) this.#status(SessionStatus.RUNNING, "");
    } catch {
      // The run's end says why, and gives the prompts back.
    }
  }

  #hear(message: Said): Promise<void> | undefined {
    if (message.type === "command_lifecycle") {
      if (message.state === "started") void this.#tell(this.#prompts.started(message.command_uuid));
      return undefined;
    }
    if (message.type === "system" && message.subtype === "init") {
      void this.#tell(this.#prompts.startedNext());
      if (message.session_id !== this.#record.agentSessionId)
        void this.#journal.say([], [this.#changed({ agentSessionId: message.session_id })]);
    }
    if (message.type === "result") return this.#turnEnded(message);
    this.#journal.note(this.#mapper.map(message, []));
    return this.#journal.room;
  }

  async #turnEnded(message: Extract<Said, { type: "result" }>): Promise<void> {
    const news = this.#prompts.turnEnded(message.user_message_uuids ?? []);
    this.#restarts.succeeded();
    await this.#tell({
      drafts: [...this.#mapper.map(message, news.ids), ...news.drafts],
      writes: [...news.writes, this.#changed({ updatedMs: Date.now() })],
    });
    if (this.#prompts.isEmpty) this.#rest("the turn is over");
  }

  #rest(reason: string): void {
    this.#status(SessionStatus.IDLE, reason);
    this.#idleTimer = setTimeout(() => void this.#run?.close(), this.#deps.idleMs);
    this.#idleTimer.unref();
  }

  async #ended({ error, stderr = "" }: RunEnding): Promise<void> {
    this.#run = undefined;
    this.#release?.();
    this.#release = undefined;
    clearTimeout(this.#idleTimer);
    await this.#ledger.orphanAll();
    await this.#tell(this.#prompts.processEnded());
    if (!error) {
      if (this.#record.status !== SessionStatus.IDLE) this.#status(SessionStatus.IDLE, "the agent has ended");
      this.#pump();
      return;
    }
    const delay = this.#restarts.crashed(Date.now());
    const fatal = delay === undefined;
    await this.#journal.say([failure(error, stderr, fatal)]);
    if (fatal)
      return this.#status(SessionStatus.FAILED, "the agent died too often; the next prompt tries again");
    if (this.#prompts.unsent.length === 0) return this.#status(SessionStatus.IDLE, "the agent died");
    this.#status(SessionStatus.RECOVERING, `the agent died; it is started again in ${delay} ms`);
    setTimeout(() => this.#pump(), delay).unref();
  }

  /** Answers a permission question: by a rule where one decides, else by whoever answers first. */
  async #decide(asked: ToolQuestion, requestId: string, signal: AbortSignal): Promise<PermissionResult> {
    const verdict = evaluate(
      { toolName: asked.tool_name, input: asked.input },
      this.#deps.rules.covering(this.#record.id, this.#record.cwd),
      { cwd: this.#record.cwd, home: this.#deps.home },
    );
    if (asked.tool_name !== ASK_USER && (verdict.behavior === "allow" || verdict.behavior === "deny")) {
      const rule = verdict.rules.map(nameOf).join(", ");
      this.#journal.note([decidedByRule(asked, verdict.behavior === "allow", rule)]);
      return verdict.behavior === "allow"
        ? { behavior: "allow", updatedInput: asked.input }
        : { behavior: "deny", message: `This call is ${verdict.reason}.` };
    }
    this.#status(SessionStatus.ASKING, asked.tool_name);
    const answer = await this.#ledger.ask(asked, requestId, signal);
    if (this.#ledger.open.length === 0 && this.#run) this.#status(SessionStatus.RUNNING, "");
    // An agent that gets no input back may run the call with none.
    return answer.behavior === "allow" && answer.updatedInput === undefined
      ? { ...answer, updatedInput: asked.input }
      : answer;
  }

  #status(status: SessionStatus, reason: string): void {
    const previous = this.#record.status;
    if (previous === status) return;
    const write = this.#changed({ status });
    void this.#tell({
      drafts: [{ body: { case: "statusChange", value: { status, previous, reason } } }],
      writes: [write],
    });
  }

  #changed(changes: Partial<SessionRecord>) {
    this.#record = { ...this.#record, ...changes };
    return updateSession(this.#record.id, changes);
  }

  /** Stores and sends; a store that fails for good ends the run, for nothing of it could be kept. */
  async #tell({ drafts, writes }: PromptNews): Promise<void> {
    if (drafts.length === 0 && writes.length === 0) return;
    await this.#journal.say(drafts, writes).catch(() => this.#run?.close());
  }
}

const FIRST_PROMPT_CHARS = 200;

function findAccepted(db: Database, sessionId: string, key: string): Accepted | undefined {
  const row = db
    .statement("SELECT id AS promptId, seq FROM prompts WHERE session_id = ? AND idempotency_key = ?")
    .get(sessionId, key) as unknown as Omit<Accepted, "isNew"> | undefined;
  return row && { ...row, isNew: false };
}

function textOf(content: MessageContent): string {
  if (typeof content === "string") return content;
  return content.flatMap((block) => (block.type === "text" ? [block.text] : [])).join("\n");
}

function failure(error: Error, stderrTail: string, fatal: boolean): Draft {
  const code = "code" in error && typeof error.code === "string" ? error.code : "agent_failed";
  return { body: { case: "error", value: { code, message: error.message, fatal, stderrTail } } };
}

function decidedByRule(asked: ToolQuestion, isAllowed: boolean, rule: string): Draft {
  return {
    body: {
      case: "permissionDecided",
      value: {
        questionId: asked.tool_use_id,
        disposition: isAllowed ? Disposition.ALLOWED : Disposition.DENIED,
        decidedBy: "rule",
        rule,
      },
    },
  };
}
