import { DaemonError } from "../errors.ts";

/** The number of queued prompts, and their total size. */
export interface QueueSize {
  readonly prompts: number;
  readonly bytes: number;
}

const MB = 1024 * 1024;

/** The limit for one session. */
export const SESSION_QUEUE: QueueSize = { prompts: 1000, bytes: 64 * MB };
/** The limit for all sessions together. */
export const WHOLE_QUEUE: QueueSize = { prompts: 20_000, bytes: 512 * MB };

/** Throws `TOO_MANY` unless another prompt of this size may be queued; an empty queue accepts a prompt of any size. */
export function checkQueueLimit(bytes: number, session: QueueSize, all: QueueSize): void {
  if (session.prompts >= SESSION_QUEUE.prompts)
    throw refusal(`${session.prompts} prompts are already queued in this session`);
  if (session.prompts > 0 && session.bytes + bytes > SESSION_QUEUE.bytes)
    throw refusal(
      `the queued prompts of this session already take ${inMB(session.bytes)} of at most ${inMB(SESSION_QUEUE.bytes)}`,
    );
  if (all.prompts >= WHOLE_QUEUE.prompts)
    throw refusal(`${all.prompts} prompts are already queued in all sessions`);
  if (all.prompts > 0 && all.bytes + bytes > WHOLE_QUEUE.bytes)
    throw refusal(
      `the queued prompts of all sessions already take ${inMB(all.bytes)} of at most ${inMB(WHOLE_QUEUE.bytes)}`,
    );
}

const refusal = (why: string) =>
  new DaemonError("TOO_MANY", `${why}: wait until some are answered, or cancel some`);

const inMB = (bytes: number) => `${Math.ceil(bytes / MB)} MB`;
