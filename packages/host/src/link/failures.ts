import type { ProtocolError } from "@agentwire/protocol";
import { type FeatureName, supports, type Version } from "@agentwire/protocol/compatibility";
import { errorMessage } from "@agentwire/protocol/support";
import { HostError, type ProcessFacts } from "../errors.ts";
import type { Exit } from "../process/process.ts";
import type { Ending } from "./link.ts";

/** How much of stderr goes into the text of an error; all that was kept is in `stderr`. */
const SHOWN_CHARS = 1000;

/** What led to the end of an agent. */
interface Circumstances {
  readonly failure: HostError | undefined;
  readonly wasStopped: boolean;
  readonly hadTurn: boolean;
  readonly lastTurnFailed: boolean;
}

/** Judges how an agent ended: whatever the host did not ask for is an error. */
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

/** The same error with the facts about how the process ended, known by now. */
function withFacts(error: HostError, facts: ProcessFacts): HostError {
  const { code, message, cause, errorCode } = error;
  return new HostError(code, message, { ...facts, cause, errorCode });
}

function said({ pid, stderr = "" }: ProcessFacts): string {
  const who = pid === undefined ? "" : ` (pid ${pid})`;
  const tail = stderr.length > SHOWN_CHARS ? `…${stderr.slice(-SHOWN_CHARS)}` : stderr;
  return tail === "" ? `${who}; it wrote nothing to stderr.` : `${who}. Its stderr: ${tail}`;
}

/** Describes why a control request has no answer; `whyGone` gives the reason why the agent is gone. */
export async function requestFailure(
  subtype: string,
  error: ProtocolError,
  facts: ProcessFacts,
  whyGone: () => Promise<HostError | undefined>,
): Promise<HostError> {
  const options = { ...facts, cause: error, errorCode: error.errorCode };
  switch (error.code) {
    case "timeout":
      return new HostError(
        "request_timeout",
        `${subtype}: ${error.message}. Older agents never answer a request they don't know.`,
        options,
      );
    case "aborted":
      return new HostError("aborted", `${subtype}: the caller withdrew the request.`, options);
    case "unencodable":
      return new HostError("unencodable", `${subtype}: ${error.message}`, options);
    case "closed":
    case "not_writable":
      return (
        (await whyGone()) ??
        new HostError("closed", `${subtype}: the agent is gone, no answer will come.`, options)
      );
    default:
      return new HostError("request_failed", error.message, options);
  }
}

/** The error of a link whose caller's signal has fired. */
export function aborted(signal: AbortSignal): HostError {
  return new HostError("aborted", "The caller's signal was aborted.", { cause: signal.reason });
}

/** The error of a link whose callback threw. */
export function callbackFailed(cause: unknown): HostError {
  const text = errorMessage(cause);
  return new HostError("callback_failed", `take, onMessage or onMalformed threw: ${text}`, { cause });
}

/** Throws for a line that would end an agent of that version: older agents exit when they receive a type of input they don't know. */
export function requireAccepted(version: Version | undefined, type: string, what: string = type): void {
  const feature = neededFor(type);
  if (!feature || supports(version, undefined, feature)) return;
  throw new HostError(
    "unsupported_request",
    `${what}: this version of the agent exits when it is sent a ${type}.`,
  );
}

function neededFor(type: string): FeatureName | undefined {
  if (type === "user") return undefined;
  return type === "control_request" || type === "control_response" ? "control_requests" : "other_input";
}
