import type { ProtocolError } from "@agentwire/protocol";
import { HostError, type ProcessFacts } from "../errors.ts";

/** Says in a host's words why a control request has no answer; `whyGone` tells why the agent is no longer there. */
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
