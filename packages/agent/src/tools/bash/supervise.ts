import type { RunningCommand } from "./command.ts";
import type { OutputFiles } from "./output-files.ts";

const WATCH_MS = 100;

/** Why a command ended: by itself, or because of one of the limits set for it. */
export type EndCause = "exit" | "timeout" | "interrupt" | "stop" | "flood";

/** How a command ended. */
export interface CommandEnd {
  readonly code: number;
  readonly cause: EndCause;
}

/** A command that can be ended. */
export interface SupervisedCommand {
  readonly ended: Promise<CommandEnd>;
  /** Ends the command and resolves when it has ended. */
  stop(): Promise<void>;
  /** Lets the command continue despite interrupts: without a limit, or for this long. */
  release(timeoutMs?: number): void;
}

/** Limits that end a command early. */
export interface Limits {
  readonly timeoutMs?: number;
  readonly signal?: AbortSignal;
}

/** Watches a command until it ends, and ends it on a timeout, on too much output, or on request. */
export function supervise(command: RunningCommand, files: OutputFiles, limits: Limits): SupervisedCommand {
  let cause: EndCause = "exit";
  let killed: Promise<void> | undefined;
  let isOver = false;
  const endFor = (reason: EndCause) => {
    // Once the shell has ended, its id may refer to another process.
    if (killed || isOver) return;
    cause = reason;
    killed = command.kill();
  };
  const onAbort = () => endFor("interrupt");
  let timer =
    limits.timeoutMs === undefined ? undefined : setTimeout(() => endFor("timeout"), limits.timeoutMs);
  const watch = setInterval(() => {
    if (files.isFlooded) endFor("flood");
  }, WATCH_MS);
  limits.signal?.addEventListener("abort", onAbort);
  if (limits.signal?.aborted) onAbort();

  const release = (timeoutMs?: number) => {
    clearTimeout(timer);
    limits.signal?.removeEventListener("abort", onAbort);
    if (timeoutMs !== undefined && !isOver) timer = setTimeout(() => endFor("timeout"), timeoutMs);
  };
  const ended = (async () => {
    const code = await command.exited;
    isOver = true;
    release();
    clearInterval(watch);
    await killed;
    return { code, cause };
  })();
  const stop = async () => {
    endFor("stop");
    await ended;
  };
  return { ended, stop, release };
}
