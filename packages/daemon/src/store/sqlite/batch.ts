import type { StoreErrorCode } from "../store-error.ts";
import type { SqlValue } from "./database.ts";

/** One statement with its values. */
export interface SqlWrite {
  readonly sql: string;
  readonly values: readonly SqlValue[];
}

/** Statements that are executed atomically. */
export interface Batch {
  readonly id: number;
  readonly writes: readonly SqlWrite[];
  /** Whether it waits if the disk is full, instead of being rejected. */
  readonly patient: boolean;
  /** Whether it consists only of deltas: nobody waits for them as for an acknowledged command, and more will follow. */
  readonly isPieces: boolean;
  /** The chain it belongs to: after a failed write, no later one of the chain is written. */
  readonly chain?: string | undefined;
}

/** Messages from the writer's thread to the daemon. */
export type WriterNews =
  | { readonly type: "ready" }
  /** Batches are on disk; `changes` has the number of rows that each of their writes changed, `ms` how long that took. */
  | { readonly type: "written"; readonly done: readonly Done[]; readonly ms: number }
  | { readonly type: "refused"; readonly id: number; readonly error: Failure }
  /** The store has started or stopped failing. */
  | { readonly type: "health"; readonly error: Failure | undefined };

/** A batch that is on disk. */
export interface Done {
  readonly id: number;
  readonly changes: readonly number[];
}

/** A `StoreError` passed between threads. */
export interface Failure {
  readonly code: StoreErrorCode;
  readonly message: string;
}
