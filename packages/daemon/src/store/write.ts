import type { PromptState, Question, RuleScope } from "@agentwire/api";
import type { Amount } from "./amount.ts";
import type { AuditNote } from "./audit-log.ts";
import type { IndexedText } from "./search-index.ts";
import type { SessionRecord } from "./session-record.ts";

/** A prompt to be stored. */
export interface NewPromptRow {
  readonly promptId: string;
  readonly sessionId: string;
  /** A prompt with the same key is accepted only once per session. */
  readonly key: string | null;
  /** The content as JSON. */
  readonly json: string;
  readonly client: string;
  /** The number of its event. */
  readonly seq: number;
}

/** A stored rule; its scope, owner and text identify it. */
export interface RuleRow {
  readonly id: string;
  readonly rule: string;
  readonly behavior: number;
  readonly scope: RuleScope;
  readonly owner: string;
  readonly createdBy: string;
  readonly createdMs: number;
  readonly isGranted: boolean;
}

/** A stored token, with only the hash of its secret. */
export interface TokenRow {
  readonly id: string;
  readonly name: string;
  readonly scope: number;
  readonly hash: Uint8Array;
  readonly createdBy: string;
  readonly createdMs: number;
  readonly expiresMs: number | null;
  readonly revokedMs: number | null;
  readonly usedMs: number | null;
}

/** What a limit applies to. */
export type BudgetScope = "session" | "day";

/** One write; writes passed to a store together are committed atomically. */
export type Write =
  | {
      readonly type: "appendEvent";
      readonly sessionId: string;
      readonly seq: number;
      readonly body: Uint8Array;
      /** The unfinished reply that it is a delta of. */
      readonly deltaOf?: string | undefined;
    }
  /** Deletes the deltas of a finished reply; `from` is the number of the first. */
  | {
      readonly type: "dropDeltas";
      readonly sessionId: string;
      readonly from: number;
      readonly before: number;
      readonly deltaOf: string;
    }
  /** Stores a line under the number of its first event. */
  | { readonly type: "keepLine"; readonly sessionId: string; readonly seq: number; readonly line: string }
  | { readonly type: "dropLines"; readonly sessionId: string; readonly upTo: number }
  | { readonly type: "addSession"; readonly record: SessionRecord }
  | { readonly type: "changeSession"; readonly id: string; readonly changes: Partial<SessionRecord> }
  | { readonly type: "acceptPrompt"; readonly prompt: NewPromptRow }
  | { readonly type: "changePrompt"; readonly id: string; readonly state: PromptState }
  /** Reorders queued prompts, and places them before all that are accepted after the event with this number. */
  | { readonly type: "orderPrompts"; readonly ids: readonly string[]; readonly seq: number }
  | { readonly type: "addQuestion"; readonly question: Question; readonly requestId: string }
  /** Changes an open question; a settled one stays as it is. */
  | { readonly type: "changeQuestion"; readonly question: Question }
  /** Adds the usage of one model. */
  | {
      readonly type: "addUsage";
      readonly sessionId: string;
      readonly day: string;
      readonly model: string;
      readonly amount: Amount;
    }
  /** Stores, as JSON, the totals that the next turn is compared with. */
  | { readonly type: "keepTotals"; readonly sessionId: string; readonly json: string }
  /** Copies the totals of a conversation to its fork. */
  | { readonly type: "copyTotals"; readonly from: string; readonly to: string }
  /** Sets a limit, or removes it if none is given. */
  | {
      readonly type: "setBudget";
      readonly scope: BudgetScope;
      readonly owner: string;
      readonly limitUsd: number | undefined;
    }
  /** Saves a rule; it replaces one with the same scope, owner and text. */
  | { readonly type: "keepRule"; readonly rule: RuleRow }
  | {
      readonly type: "removeRule";
      readonly scope: RuleScope;
      readonly owner: string;
      readonly rule: string;
    }
  | { readonly type: "addToken"; readonly token: TokenRow }
  | { readonly type: "changeToken"; readonly id: string; readonly changes: TokenChanges }
  /** Adds an entry to the audit log, which is numbered and chained when it is written. */
  | { readonly type: "audit"; readonly timeMs: number; readonly note: AuditNote }
  /** Adds the words of events to the index, and records up to which number the session is indexed. */
  | {
      readonly type: "indexTexts";
      readonly sessionId: string;
      readonly upTo: number;
      readonly texts: readonly IndexedText[];
    }
  /** Deletes events up to a number, with their lines and words, and prompts and questions that had ended by then. */
  | { readonly type: "prune"; readonly sessionId: string; readonly upTo: number }
  /** Deletes everything about a purged session except its usage. */
  | { readonly type: "clearSession"; readonly sessionId: string };

/** The fields of a token that can change. */
export type TokenChanges = Partial<Pick<TokenRow, "revokedMs" | "usedMs">>;
