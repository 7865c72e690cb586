import type { StoreErrorCode } from "../store-error.ts";
import type { SqlValue } from "./database.ts";

/** One statement with its values. */
export interface SqlWrite {
  readonly sql: string;
  readonly values: readonly SqlValue[];
}

/** Statements that happen together or not at all. */
export interface Batch {
  readonly id: number;
  readonly writes: readonly SqlWrite[];
  /** Whether it waits for better times when the disk is full, instead of being refused. */
  readonly patient: boolean;
  /** Whether it is nothing but pieces of a reply: nobody waits for them as for a command that was acknowledged, and more will follow. */
  readonly isPieces: boolean;
  /** The chain it belongs to: after a failed write, no later one of the chain is written. */
  readonly chain?: string | undefined;
}

/** What the writer's thread says to the daemon. */
export type WriterNews =
  | { readonly type: "ready" }
  /** Batches are on disk; `changes` has the number of rows that each of their writes changed, `ms` how long that took. */
  | { readonly type: "written"; readonly done: readonly Done[]; readonly ms: number }
  | { readonly type: "refused"; readonly id: number; readonly error: Failure }
  /** The store has fallen ill or has recovered. */
  | { readonly type: "health"; readonly error: Failure | undefined };

/** A batch that is on disk. */
export interface Done {
  readonly id: number;
  readonly changes: readonly number[];
}

/** A `StoreError` on its way between threads. */
export interface Failure {
  readonly code: StoreErrorCode;
  readonly message: string;
}
