import { HostError, type ProcessFacts } from "../errors.ts";
import type { Exit } from "../process/process.ts";
import type { Ending } from "./link.ts";

/** How much of stderr is worth showing in the text of an error; the rest is in its `stderr`. */
const SHOWN_CHARS = 1000;

/** What led to the end of an agent. */
interface Circumstances {
  readonly failure: HostError | undefined;
  readonly wasStopped: boolean;
  readonly hadTurn: boolean;
  readonly lastTurnFailed: boolean;
}

/** Judges how an agent ended: an error is whatever its host did not ask for. */
export function endingOf(exit: Exit, known: ProcessFacts, circumstances: Circumstances): Ending {
  const facts = { ...known, exitCode: exit.code, exitSignal: exit.signal };
  const error = errorOf(exit, facts, circumstances);
  return { ...facts, lastTurnFailed: circumstances.lastTurnFailed, ...(error && { error }) };
}

function errorOf(exit: Exit, facts: ProcessFacts, circumstances: Circumstances): HostError | undefined {
  const { failure, wasStopped, hadTurn } = circumstances;
  if (failure) return withFacts(failure, facts);
  if (exit.failure) return exit.failure;
  if (wasStopped) return undefined;
  if (exit.signal)
    return new HostError("killed", `The agent was killed by ${exit.signal}${said(facts)}`, facts);
  if (exit.code !== 0)
    return new HostError("exited", `The agent exited with code ${exit.code}${said(facts)}`, facts);
  if (hadTurn)
    return new HostError("exited", `The agent exited in the middle of a turn${said(facts)}`, facts);
  return undefined;
}

/** The same error, now that it is known how the process ended. */
function withFacts(error: HostError, facts: ProcessFacts): HostError {
  const { code, message, cause, errorCode } = error;
  return new HostError(code, message, { ...facts, cause, errorCode });
}

function said({ pid, stderr = "" }: ProcessFacts): string {
  const who = pid === undefined ? "" : ` (pid ${pid})`;
  const tail = stderr.length > SHOWN_CHARS ? `…${stderr.slice(-SHOWN_CHARS)}` : stderr;
  return tail === "" ? `${who}; it wrote nothing to stderr.` : `${who}. Its stderr: ${tail}`;
}
