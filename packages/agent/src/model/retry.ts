import { ModelError, type ModelReply, NOT_LISTENING } from "@agentwire/models";
import type { AssistantError } from "@agentwire/protocol/messages";
import { errorKind, isRepeatedOnce, isRetryable } from "./error-kind.ts";
import type { Model, ModelCall } from "./model.ts";
import { sleep as sleepFor } from "./sleep.ts";

/** What is reported to the host before a retry, as the fields of `system/api_retry`. */
export interface RetryNotice {
  readonly attempt: number;
  readonly max_retries: number;
  readonly retry_delay_ms: number;
  readonly error_status: number | null;
  readonly error: AssistantError;
}

/** How to retry. */
export interface RetryOptions {
  readonly maxRetries: number;
  onRetry(notice: RetryNotice): void;
  /** Waits; rejects with the signal's reason when it fires. */
  readonly sleep?: (ms: number, signal: AbortSignal) => Promise<void>;
  /** From 0 to 1. */
  readonly random?: () => number;
}

/** The retries of one step: failed calls and broken streams count together. */
export interface Retries {
  /** Resolves when the call may be repeated; rejects with the error if it is final, or with the signal's reason. */
  afterFailure(error: ModelError, signal: AbortSignal): Promise<void>;
}

/** Starts counting the retries of one step. */
export function startRetries({
  maxRetries,
  onRetry,
  sleep = sleepFor,
  random = Math.random,
}: RetryOptions): Retries {
  let attempt = 0;
  let wasRepeated = false;
  return {
    async afterFailure(error, signal) {
      signal.throwIfAborted();
      if (isRepeatedOnce(error) && !wasRepeated) {
        wasRepeated = true;
        return;
      }
      const most = error.type === NOT_LISTENING ? Math.min(maxRetries, MOST_UNHEARD) : maxRetries;
      if (!isRetryable(error) || attempt >= most) throw error;
      attempt++;
      const delay = retryDelay(attempt, error.retryAfterMs, random());
      onRetry({
        attempt,
        max_retries: most,
        retry_delay_ms: delay,
        error_status: error.status,
        error: errorKind(error),
      });
      await sleep(delay, signal);
    },
  };
}

/** Calls the model until it accepts the call or the failure is final. */
export async function callWithRetries(
  model: Model,
  call: ModelCall,
  retries: Retries,
  signal: AbortSignal,
): Promise<ModelReply> {
  for (;;) {
    try {
      return await model.call(call, signal);
    } catch (error) {
      if (!(error instanceof ModelError)) throw error;
      await retries.afterFailure(error, signal);
    }
  }
}

/** The limit for a server on this machine, which may be restarting, or which the user may have forgotten to start. */
const MOST_UNHEARD = 3;
const FIRST_DELAY_MS = 500;
const LONGEST_DELAY_MS = 32_000;
const JITTER = 0.25;

/**
 * The delay before the given attempt (from 1): it doubles each time, but is never shorter than the provider requests; `random` is
 * from 0 to 1.
 */
export function retryDelay(attempt: number, retryAfterMs: number | undefined, random: number): number {
  const delay = Math.min(FIRST_DELAY_MS * 2 ** (attempt - 1), LONGEST_DELAY_MS) * (1 + JITTER * random);
  return Math.round(Math.max(delay, retryAfterMs ?? 0));
}
