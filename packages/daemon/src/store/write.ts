import type { PromptState, Question, RuleScope } from "@agentwire/api";
import type { Amount } from "./amount.ts";
import type { AuditNote } from "./audit-log.ts";
import type { IndexedText } from "./search-index.ts";
import type { SessionRecord } from "./session-record.ts";

/** A prompt on its way to the store. */
export interface NewPromptRow {
  readonly promptId: string;
  readonly sessionId: string;
  /** The same key is accepted once in a session. */
  readonly key: string | null;
  /** The content as JSON. */
  readonly json: string;
  readonly client: string;
  /** The number of the event that tells of it. */
  readonly seq: number;
}

/** A rule as it is stored; its place is its scope, its owner and its text. */
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

/** A token as it is stored: with the hash of its secret, which is nowhere. */
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

/** What a limit is set on. */
export type BudgetScope = "session" | "day";

/** One thing that is written; what is given to a store together is written together or not at all. */
export type Write =
  | {
      readonly type: "appendEvent";
      readonly sessionId: string;
      readonly seq: number;
      readonly body: Uint8Array;
      /** The unfinished reply that it is a piece of. */
      readonly deltaOf?: string | undefined;
    }
  /** Takes out the pieces of a reply that is finished; `from` is the number of the first. */
  | {
      readonly type: "dropDeltas";
      readonly sessionId: string;
      readonly from: number;
      readonly before: number;
      readonly deltaOf: string;
    }
  /** Keeps a line under the number of the first event that came of it. */
  | { readonly type: "keepLine"; readonly sessionId: string; readonly seq: number; readonly line: string }
  | { readonly type: "dropLines"; readonly sessionId: string; readonly upTo: number }
  | { readonly type: "addSession"; readonly record: SessionRecord }
  | { readonly type: "changeSession"; readonly id: string; readonly changes: Partial<SessionRecord> }
  | { readonly type: "acceptPrompt"; readonly prompt: NewPromptRow }
  | { readonly type: "changePrompt"; readonly id: string; readonly state: PromptState }
  /** Puts waiting prompts into this order, before all that are accepted after the event of this number. */
  | { readonly type: "orderPrompts"; readonly ids: readonly string[]; readonly seq: number }
  | { readonly type: "addQuestion"; readonly question: Question; readonly requestId: string }
  /** Changes a question that is open; one that has ended stays as it is. */
  | { readonly type: "changeQuestion"; readonly question: Question }
  /** Adds what one model was used for. */
  | {
      readonly type: "addUsage";
      readonly sessionId: string;
      readonly day: string;
      readonly model: string;
      readonly amount: Amount;
    }
  /** Remembers, as JSON, the totals that the next turn is counted from. */
  | { readonly type: "keepTotals"; readonly sessionId: string; readonly json: string }
  /** Lets a copy of a conversation count on from where the original is. */
  | { readonly type: "copyTotals"; readonly from: string; readonly to: string }
  /** Sets a limit, or takes it away where none is given. */
  | {
      readonly type: "setBudget";
      readonly scope: BudgetScope;
      readonly owner: string;
      readonly limitUsd: number | undefined;
    }
  /** Keeps a rule; another of the same place is replaced. */
  | { readonly type: "keepRule"; readonly rule: RuleRow }
  | {
      readonly type: "removeRule";
      readonly scope: RuleScope;
      readonly owner: string;
      readonly rule: string;
    }
  | { readonly type: "addToken"; readonly token: TokenRow }
  | { readonly type: "changeToken"; readonly id: string; readonly changes: TokenChanges }
  /** Adds an entry to the audit log, numbered and chained where it is written. */
  | { readonly type: "audit"; readonly timeMs: number; readonly note: AuditNote }
  /** Adds the words of events to the index; up to a number a session was looked through then. */
  | {
      readonly type: "indexTexts";
      readonly sessionId: string;
      readonly upTo: number;
      readonly texts: readonly IndexedText[];
    }
  /** Lets go of events up to a number, and of what goes with them: lines, words, prompts and questions that ended by then. */
  | { readonly type: "prune"; readonly sessionId: string; readonly upTo: number }
  /** Lets go of everything about a deleted session but what it cost. */
  | { readonly type: "clearSession"; readonly sessionId: string };

/** What changes about a token. */
export type TokenChanges = Partial<Pick<TokenRow, "revokedMs" | "usedMs">>;
