import { AbortError, HostError } from "../errors.ts";

/** The error that a query throws for the reason it ended; `errorText` is what its last result said, if that was an error. */
export function endingError(reason: unknown, errorText: string | undefined): unknown {
  if (!(reason instanceof HostError)) return reason;
  if (reason.code === "aborted")
    return new AbortError(`${OFFICIAL} process aborted by user`, { cause: reason });
  const text = officialText(reason, errorText);
  if (text === undefined) return reason;
  const { code, pid, exitCode, exitSignal, stderr } = reason;
  return new HostError(code, text, { cause: reason, pid, exitCode, exitSignal, stderr });
}

/** Whatever the agent is, programs that were written for the official SDK look for its words. */
const OFFICIAL = "Claude Code";
/** How much of stderr is worth showing; the rest is in the error's `stderr`. */
const SHOWN_CHARS = 1000;

function officialText(
  { code, exitCode, exitSignal, stderr }: HostError,
  errorText: string | undefined,
): string | undefined {
  if (code === "killed") return `${OFFICIAL} process terminated by signal ${exitSignal}`;
  if (code !== "exited") return undefined;
  if (errorText !== undefined) return `${OFFICIAL} returned an error result: ${errorText}`;
  if (!exitCode) return undefined;
  const said = stderr?.trim().slice(-SHOWN_CHARS);
  return `${OFFICIAL} process exited with code ${exitCode}${said ? `. stderr: ${said}` : ""}`;
}

/** Which of two reasons came first: that nothing could be sent any more follows from what ended the agent. */
export function rootReason(failure: unknown, ending: HostError | undefined): unknown {
  const follows =
    failure instanceof HostError && (failure.code === "input_closed" || failure.code === "closed");
  return follows ? (ending ?? failure) : (failure ?? ending);
}
