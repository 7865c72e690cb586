import { AbortError, HostError } from "../errors.ts";

/** The error that a query throws for the reason it ended; `errorText` is the text of its last result, if that was an error. */
export function endingError(reason: unknown, errorText: string | undefined): unknown {
  if (!(reason instanceof HostError)) return reason;
  if (reason.code === "aborted")
    return new AbortError(`${OFFICIAL} process aborted by user`, { cause: reason });
  const text = officialText(reason, errorText);
  if (text === undefined) return reason;
  const { code, pid, exitCode, exitSignal, stderr } = reason;
  return new HostError(code, text, { cause: reason, pid, exitCode, exitSignal, stderr });
}

/** Programs written for the official SDK look for its wording, whatever the agent is. */
const OFFICIAL = "Claude Code";
/** How much of stderr goes into the text; all that was kept is in the error's `stderr`. */
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

/** Which of two reasons came first: a failure to send follows from what ended the agent. */
export function rootReason(failure: unknown, ending: HostError | undefined): unknown {
  const follows =
    failure instanceof HostError && (failure.code === "input_closed" || failure.code === "closed");
  return follows ? (ending ?? failure) : (failure ?? ending);
}
