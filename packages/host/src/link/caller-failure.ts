import { HostError } from "../errors.ts";

/** The failure of a link whose caller's signal has fired. */
export function aborted(signal: AbortSignal): HostError {
  return new HostError("aborted", "The caller's signal was aborted.", { cause: signal.reason });
}

/** The failure of a link whose caller threw when it was told of something. */
export function callbackFailed(cause: unknown): HostError {
  const text = cause instanceof Error ? cause.message : String(cause);
  return new HostError("callback_failed", `take, onMessage or onMalformed threw: ${text}`, { cause });
}
