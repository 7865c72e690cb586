import type { Question } from "@agentwire/api";
import type { MessageContent } from "@agentwire/protocol/messages";
import type { Amount } from "./amount.ts";
import type { AuditEntry, AuditPage } from "./audit-log.ts";
import type { StoredEvent } from "./checked-event.ts";
import type { Nodes } from "./nodes.ts";
import type { KeptSize, RawLine } from "./raw-lines.ts";
import type { SearchIndex } from "./search-index.ts";
import type { Listing, SessionQuery } from "./session-query.ts";
import type { SessionRecord } from "./session-record.ts";
import type { StoreError } from "./store-error.ts";
import type { UsageQuery } from "./usage-query.ts";
import type { BudgetScope, RuleRow, TokenRow, Write } from "./write.ts";

/** All stored data of a daemon, in any kind of store. Reads and writes are asynchronous, and reject with a `StoreError`. */
export interface Store {
  /** Its location, for display. */
  readonly place: string;
  /** The daemons that share it; undefined for a store with a single daemon. */
  readonly nodes?: Nodes;
  readonly sessions: StoredSessions;
  readonly events: EventLog;
  readonly lines: RawLog;
  readonly prompts: StoredPrompts;
  readonly questions: StoredQuestions;
  readonly usage: StoredUsage;
  readonly audit: AuditLog;
  readonly search: SearchIndex;
  /** All rules, oldest first. */
  rules(): Promise<readonly RuleRow[]>;
  /** All tokens, oldest first. */
  tokens(): Promise<readonly TokenRow[]>;
  /** All limits that override those in the settings. */
  budgets(): Promise<readonly StoredBudget[]>;

  /** Writes, or fails immediately: for requests that a client can retry. The writes may be modified after the call without effect. */
  write(writes: readonly Write[]): Promise<unknown>;
  /**
   * Writes as soon as possible, however long the disk is full: for data that must not be lost. A chain of batches is written
   * without gaps: after one is rejected, so are all later ones.
   */
  keep(writes: readonly Write[], chain?: string): Promise<unknown>;
  /** Runs `act`, which must not throw, after all input of this turn of the event loop has been read; its writes go out together. */
  atTurnEnd(act: () => void): void;
  /**
   * Copies the history of a session to a fork, under the same numbers, up to the first unanswered prompt, and at most up to
   * the event before `before` if that is given.
   */
  copyHistory(from: string, to: string, before?: number): Promise<void>;
  /** Copies everything into a new file while it is in use; resolves to the size of the copy, which has been checked. */
  backUp(target: string): Promise<number>;

  /** What is wrong with it now. */
  readonly illness: StoreError | undefined;
  /** Why it has stopped writing. */
  readonly failure: StoreError | undefined;
  /** How many batches are waiting to be written. */
  readonly depth: number;
  /** Its size on disk. */
  readonly sizeBytes: number;
  /** Called when a problem occurs, and with undefined when it is solved. */
  onHealth: (error: StoreError | undefined) => void;
  /** Called with the outcome of each read: undefined for success. */
  onRead: (error: StoreError | undefined) => void;
  /** Called with the duration of each commit in milliseconds. */
  onCommit: (ms: number) => void;
  /** Finishes pending writes, then ends. */
  close(): Promise<void>;
}

/** The stored data of sessions, apart from their events. */
export interface StoredSessions {
  find(id: string): Promise<SessionRecord | undefined>;
  /** The session that was created with that key. */
  findByKey(key: string): Promise<SessionRecord | undefined>;
  /** The given agents' conversation ids that belong to a session, now or in the past. */
  knownToAgents(agentSessionIds: readonly string[]): Promise<readonly string[]>;
  /** The session with its own worktree at that path, unless it was deleted. */
  findByWorktree(path: string): Promise<SessionRecord | undefined>;
  /** Everything needed to continue a session; undefined for one that belongs to another node. */
  load(id: string): Promise<StoredSession | undefined>;
  /** A page; pages stay consistent while sessions come and go, since each starts after the last one seen. */
  list(query: SessionQuery): Promise<Listing>;
  /** What is displayed of each session in addition to its record, in the same order. */
  summaries(ids: readonly string[]): Promise<readonly SessionSummary[]>;
  /** The number of sessions that are not deleted. */
  count(): Promise<number>;
  /** This node's sessions that an earlier daemon left with work, questions or prompts, and those with a busy status. */
  unfinished(): Promise<readonly string[]>;
  deletedBefore(ms: number): Promise<readonly string[]>;
  /** All sessions that this node manages, deleted or not, ordered by id. */
  idsAfter(id: string, limit: number): Promise<readonly string[]>;
}

/** A session in its last stored state. */
export interface StoredSession {
  readonly record: SessionRecord;
  /** The number of its last event; 0 if it has none. */
  readonly lastSeq: number;
  /** The prompts whose turns have not started, oldest first; their content is not read. */
  readonly waiting: readonly { readonly id: string; readonly bytes: number }[];
  /** The prompts whose turns have started, oldest first. */
  readonly begun: readonly string[];
  readonly openQuestions: readonly Question[];
  readonly usage: Amount;
  /** The last reported totals, as JSON. */
  readonly totals: string | undefined;
}

/** What is displayed of a session in addition to its record. */
export interface SessionSummary {
  readonly firstSeq: number;
  readonly lastSeq: number;
  readonly usage: Amount;
  /** The model that it used most on its last day with usage; empty if there was none. */
  readonly lastModel: string;
  /** The state that other nodes have in memory for their sessions. */
  readonly elsewhere?: {
    readonly owner: string;
    readonly openQuestions: number;
    readonly queuedPrompts: number;
  };
}

/** How much a page has by default, unless it is a single item: clients of gRPC reject messages of more than 4 MB if not told otherwise. */
export const PAGE_BYTES = 2 * 1024 * 1024;

/**
 * Reads a page of a session's numbered items: at most `limit`, and no more than `maxBytes` (by default `PAGE_BYTES`), but at least one
 * if there are any.
 */
export type ReadPage<T> = (
  sessionId: string,
  seq: number,
  limit: number,
  maxBytes?: number,
) => Promise<readonly T[]>;

/** Items of a session by their numbers. */
export interface Numbered<T> {
  /** The next items after a number, in order. */
  readonly after: ReadPage<T>;
  /** The last items before a number, in order. */
  readonly before: ReadPage<T>;
}

/** The log of events; a damaged event is replaced by one that reports the damage. */
export interface EventLog extends Numbered<StoredEvent> {
  /** The lowest and highest stored number; 0 if there are none. */
  bounds(sessionId: string): Promise<{ readonly first: number; readonly last: number }>;
  /** The number of the `count`th event from the beginning; undefined if there are fewer. */
  numberOf(sessionId: string, count: number): Promise<number | undefined>;
}

/** The stored raw lines. */
export interface RawLog extends Numbered<RawLine> {
  /** The sizes of a session's lines, oldest first. */
  sizes(sessionId: string): Promise<readonly KeptSize[]>;
}

/** Accepted prompts. */
export interface StoredPrompts {
  /** The prompt that was accepted under a key, and the number of its event. */
  ofKey(
    sessionId: string,
    key: string,
  ): Promise<{ readonly promptId: string; readonly seq: number } | undefined>;
  /** The content of a prompt. */
  content(id: string): Promise<MessageContent>;
  /** The beginning of each prompt's text, in the same order; a long text is never read completely by this process. */
  texts(ids: readonly string[]): Promise<readonly string[]>;
}

/** Questions; of a damaged one, whatever is stored outside its body. */
export interface StoredQuestions {
  find(id: string): Promise<Question | undefined>;
  /** A page, limited to `PAGE_BYTES`, but with at least one question if there are any. */
  list(page: QuestionPage): Promise<readonly PlacedQuestion[]>;
}

/** Which questions to list. */
export interface QuestionPage {
  /** Empty for all sessions. */
  readonly sessionId: string;
  readonly includeDecided: boolean;
  /** The place of the last question on the previous page; 0 for the first page. */
  readonly after: number;
  readonly limit: number;
}

/** A question, and its place in the order of asking. */
export interface PlacedQuestion {
  readonly place: number;
  readonly question: Question;
}

/** Stored usage. */
export interface StoredUsage {
  /** The cost of a day, counting only known prices. */
  costOfDay(day: string): Promise<number>;
  /** A page of sums in the order of their keys, the latest day first. */
  list(query: UsageQuery): Promise<readonly (readonly [key: string, Amount])[]>;
}

/** The audit log. */
export interface AuditLog {
  /** Entries after a number, or before it, in the requested order. */
  page(page: AuditPage): Promise<readonly AuditEntry[]>;
  /** The last number ever assigned, or the last position if nodes have their own chains. */
  lastSeq(): Promise<number>;
}

/** A limit for a session or a day that overrides the settings. */
export interface StoredBudget {
  readonly scope: BudgetScope;
  readonly owner: string;
  readonly limitUsd: number;
}
