import { AbortError, HostError } from "../errors.ts";

/** The error that a query throws for the reason it ended; `errorText` is what its last result said, if that was an error. */
export function endingError(reason: unknown, errorText: string | undefined): unknown {
  if (!(reason instanceof HostError)) return reason;
  if (reason.code === "aborted")
    return new AbortError("the agent process was aborted by the user", { cause: reason });
  if (reason.code !== "exited" || errorText === undefined) return reason;
  const { pid, exitCode, exitSignal, stderr } = reason;
  return new HostError("exited", `the agent returned an error result: ${errorText}`, {
    cause: reason,
    pid,
    exitCode,
    exitSignal,
    stderr,
  });
}

/** Which of two reasons came first: that nothing could be sent any more follows from what ended the agent. */
export function rootReason(failure: unknown, ending: HostError | undefined): unknown {
  const follows =
    failure instanceof HostError && (failure.code === "input_closed" || failure.code === "closed");
  return follows ? (ending ?? failure) : (failure ?? ending);
}
