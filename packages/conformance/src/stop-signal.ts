import { EXIT_CODES } from "@agentwire/protocol/support";

/** A stop that was requested from outside. */
export interface Stop {
  readonly signal: AbortSignal;
  /** The exit code for the received signal. */
  exitCode(): number;
}

/** Signals stop the scenarios, not the program: it first ends every process that it started. */
export function stopSignal(): Stop {
  const controller = new AbortController();
  let exitCode: number = EXIT_CODES.done;
  const stop = (code: number) => () => {
    exitCode = code;
    controller.abort("the run was stopped");
  };
  process.once("SIGINT", stop(EXIT_CODES.interrupted));
  process.once("SIGTERM", stop(EXIT_CODES.terminated));
  return { signal: controller.signal, exitCode: () => exitCode };
}
