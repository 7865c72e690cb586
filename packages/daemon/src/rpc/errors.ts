import { HostError } from "@agentwire/host";
import type { Redact } from "@agentwire/protocol/support";
import { Code, ConnectError } from "@connectrpc/connect";
import { DaemonError, type DaemonErrorCode } from "../errors.ts";
import { RuleError } from "../permission/rule-book.ts";
import { SettingsError } from "../settings-error.ts";
import { StoreError } from "../store/store-error.ts";
import { blamingClient } from "./undecodable.ts";

const CODES: Readonly<Record<DaemonErrorCode, Code>> = {
  SESSION_NOT_FOUND: Code.NotFound,
  QUESTION_NOT_FOUND: Code.NotFound,
  PERMISSION_STALE: Code.FailedPrecondition,
  INVALID_ARGUMENT: Code.InvalidArgument,
  NOT_INPUT_HOLDER: Code.FailedPrecondition,
  STORE_UNAVAILABLE: Code.Unavailable,
  WORKSPACE_REFUSED: Code.FailedPrecondition,
  WORKTREE_REFUSED: Code.FailedPrecondition,
  AGENT_FAILED: Code.FailedPrecondition,
  NAME_TAKEN: Code.AlreadyExists,
  PORT_IN_USE: Code.AlreadyExists,
  SETTINGS_UNUSABLE: Code.FailedPrecondition,
  FORBIDDEN: Code.PermissionDenied,
  TOO_MANY: Code.ResourceExhausted,
  BUDGET_EXHAUSTED: Code.ResourceExhausted,
  SESSION_ELSEWHERE: Code.Aborted,
  NODE_DOWN: Code.Unavailable,
  SHUTTING_DOWN: Code.Unavailable,
};

/** Converts an error for a client; our own code precedes the message, for programs to match on. */
export function toConnectError(error: unknown): ConnectError {
  if (error instanceof ConnectError) return blamingClient(error);
  if (error instanceof DaemonError)
    return new ConnectError(`${error.code}: ${error.message}`, CODES[error.code]);
  if (error instanceof SettingsError)
    return new ConnectError(`SETTINGS_UNUSABLE: ${error.message}`, CODES.SETTINGS_UNUSABLE);
  if (error instanceof RuleError)
    return new ConnectError(`INVALID_ARGUMENT: ${error.message}`, Code.InvalidArgument);
  if (error instanceof StoreError)
    return new ConnectError(
      `STORE_UNAVAILABLE: ${error.message}`,
      error.code === "full" ? Code.ResourceExhausted : Code.Unavailable,
    );
  if (error instanceof HostError)
    return new ConnectError(`AGENT_FAILED: ${error.message}`, Code.FailedPrecondition);
  return new ConnectError(
    "the daemon failed unexpectedly; see its log",
    Code.Internal,
    undefined,
    undefined,
    error,
  );
}

/** Makes the text of an error fit for clients: without secrets, since agents may put anything into theirs, and not too long to be sent. */
export function presentable(error: ConnectError, redact: Redact): ConnectError {
  const text = sendable(redact(error.rawMessage));
  return text === error.rawMessage ? error : new ConnectError(text, error.code, error.metadata);
}

/** gRPC sends the text percent-encoded in a header, and its official clients reject headers of more than 8 KB. */
const MAX_ENCODED_CHARS = 6000;

/** Cuts a text that is too long for a header. */
function sendable(text: string): string {
  // Half a surrogate pair can't be encoded.
  const short = Buffer.from(text.slice(0, MAX_ENCODED_CHARS)).toString();
  if (short.length === text.length && encodeURIComponent(short).length <= MAX_ENCODED_CHARS) return short;
  let length = 0;
  let kept = "";
  for (const char of short) {
    length += encodeURIComponent(char).length;
    if (length > MAX_ENCODED_CHARS) break;
    kept += char;
  }
  return `${kept}…`;
}
