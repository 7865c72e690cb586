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

/** Everything that a daemon keeps, whatever keeps it. What it is asked for is read later; reads and writes reject with a `StoreError`. */
export interface Store {
  /** Where it is, for people. */
  readonly place: string;
  /** The daemons that share it; undefined for one that a daemon has alone. */
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
  /** All limits that somebody has set beside the settings. */
  budgets(): Promise<readonly StoredBudget[]>;

  /** Writes or fails at once: for what a client can be told to try again. What is given may change after the call; what it was then is written. */
  write(writes: readonly Write[]): Promise<unknown>;
  /**
   * Writes as soon as it can, however long the disk is full: for what must not be lost. What belongs to one chain is written
   * without a hole: after a batch that was refused, all later ones are.
   */
  keep(writes: readonly Write[], chain?: string): Promise<unknown>;
  /** Acts, and must not throw, when everything was read that has come in this turn of the event loop; what is written then goes out together. */
  atTurnEnd(act: () => void): void;
  /**
   * Gives a copy the history of its original under the same numbers, up to the first prompt that is not answered yet, and no further than
   * the event before a number if one is given.
   */
  copyHistory(from: string, to: string, before?: number): Promise<void>;
  /** Copies everything into a new file while it is in use; resolves to the size of the copy, which has been checked. */
  backUp(target: string): Promise<number>;

  /** What is wrong with it now. */
  readonly illness: StoreError | undefined;
  /** Why no more is written. */
  readonly failure: StoreError | undefined;
  /** How many batches are on their way. */
  readonly depth: number;
  /** What it takes on disk. */
  readonly sizeBytes: number;
  /** Called when it falls ill, and with undefined when it has recovered. */
  onHealth: (error: StoreError | undefined) => void;
  /** Called with how each read went: undefined if it went well. */
  onRead: (error: StoreError | undefined) => void;
  /** Called with how long a commit has taken, in milliseconds. */
  onCommit: (ms: number) => void;
  /** Finishes pending writes, then ends. */
  close(): Promise<void>;
}

/** What is stored of sessions beside their events. */
export interface StoredSessions {
  find(id: string): Promise<SessionRecord | undefined>;
  /** The session that was created with that key. */
  findByKey(key: string): Promise<SessionRecord | undefined>;
  /** Those of the given ids of agents' conversations that sessions have, or had. */
  knownToAgents(agentSessionIds: readonly string[]): Promise<readonly string[]>;
  /** The session that works in a worktree of its own at that path, unless it was deleted. */
  findByWorktree(path: string): Promise<SessionRecord | undefined>;
  /** Everything by which a session is gone on with; undefined for one that belongs to another node. */
  load(id: string): Promise<StoredSession | undefined>;
  /** A page; pages stay consistent while sessions come and go, since each starts after the last one seen. */
  list(query: SessionQuery): Promise<Listing>;
  /** What is shown of each beside its record, in the same order. */
  summaries(ids: readonly string[]): Promise<readonly SessionSummary[]>;
  /** How many there are that are not deleted. */
  count(): Promise<number>;
  /** Those of this node that an earlier daemon left with work, questions or prompts, and those that look busy. */
  unfinished(): Promise<readonly string[]>;
  deletedBefore(ms: number): Promise<readonly string[]>;
  /** All that this node manages, deleted or not, in the order of their ids. */
  idsAfter(id: string, limit: number): Promise<readonly string[]>;
}

/** A session as it was left. */
export interface StoredSession {
  readonly record: SessionRecord;
  /** The number of its last event; 0 without any. */
  readonly lastSeq: number;
  /** The prompts that no turn has begun with, oldest first; what they say is not read. */
  readonly waiting: readonly { readonly id: string; readonly bytes: number }[];
  /** The prompts that a turn has begun with, oldest first. */
  readonly begun: readonly string[];
  readonly openQuestions: readonly Question[];
  readonly usage: Amount;
  /** The totals that were last reported, as JSON. */
  readonly totals: string | undefined;
}

/** What is shown of a session beside its record. */
export interface SessionSummary {
  readonly firstSeq: number;
  readonly lastSeq: number;
  readonly usage: Amount;
  /** The model that it has used last, and most of that day; empty if it has used none. */
  readonly lastModel: string;
  /** What other nodes have in memory of their sessions. */
  readonly elsewhere?: {
    readonly owner: string;
    readonly openQuestions: number;
    readonly queuedPrompts: number;
  };
}

/** The log of events; in place of a damaged event comes one that says so. */
export interface EventLog {
  /** The next events after a number, in order. */
  after(sessionId: string, seq: number, limit: number): Promise<readonly StoredEvent[]>;
  /** The same, limited to a number of bytes, but at least one. */
  page(sessionId: string, seq: number, limit: number, maxBytes: number): Promise<readonly StoredEvent[]>;
  /** The last events before a number, in order. */
  before(sessionId: string, seq: number, limit: number): Promise<readonly StoredEvent[]>;
  /** The lowest and the highest number that are stored; 0 where there is none. */
  bounds(sessionId: string): Promise<{ readonly first: number; readonly last: number }>;
  /** The number of the last of so many events from the beginning; undefined if there are fewer. */
  numberOf(sessionId: string, count: number): Promise<number | undefined>;
}

/** The lines that were kept. */
export interface RawLog {
  /** The next lines after a number, in order. */
  after(sessionId: string, seq: number, limit: number): Promise<readonly RawLine[]>;
  /** The last lines before a number, in order. */
  before(sessionId: string, seq: number, limit: number): Promise<readonly RawLine[]>;
  /** What is kept of a session, oldest first. */
  sizes(sessionId: string): Promise<readonly KeptSize[]>;
}

/** Prompts that were accepted. */
export interface StoredPrompts {
  /** The prompt that was accepted under a key, and the number of its event. */
  ofKey(
    sessionId: string,
    key: string,
  ): Promise<{ readonly promptId: string; readonly seq: number } | undefined>;
  /** What a prompt says. */
  content(id: string): Promise<MessageContent>;
  /** The beginning of the text of each, in the same order; a long one is never read as a whole by this process. */
  texts(ids: readonly string[]): Promise<readonly string[]>;
}

/** Questions; of one that is damaged comes what is known beside its body. */
export interface StoredQuestions {
  find(id: string): Promise<Question | undefined>;
  list(page: QuestionPage): Promise<readonly PlacedQuestion[]>;
}

/** Which questions are wanted. */
export interface QuestionPage {
  /** Empty for those of all sessions. */
  readonly sessionId: string;
  readonly includeDecided: boolean;
  /** The place of the last one of the page before; 0 for the first page. */
  readonly after: number;
  readonly limit: number;
}

/** A question, and its place in the order in which they were asked. */
export interface PlacedQuestion {
  readonly place: number;
  readonly question: Question;
}

/** What was used. */
export interface StoredUsage {
  /** The cost of a day, as far as prices are known. */
  costOfDay(day: string): Promise<number>;
  /** A page of sums in the order of their keys, the latest day first. */
  list(query: UsageQuery): Promise<readonly (readonly [key: string, Amount])[]>;
}

/** The audit log. */
export interface AuditLog {
  /** Entries after a number, or before it, in the order in which they are asked for. */
  page(page: AuditPage): Promise<readonly AuditEntry[]>;
  /** The last number that was ever given, or the last position where nodes have chains of their own. */
  lastSeq(): Promise<number>;
}

/** A limit that somebody has set beside the settings: on a session, or on a day. */
export interface StoredBudget {
  readonly scope: BudgetScope;
  readonly owner: string;
  readonly limitUsd: number;
}
