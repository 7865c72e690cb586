import { EXIT_CODES, type ExitCode, errorMessage } from "@agentwire/protocol/support";
import { Code, ConnectError } from "@connectrpc/connect";
import { CliError } from "../errors.ts";

interface Advice {
  readonly exitCode?: ExitCode;
  readonly hint?: string;
}

/** How to resolve each of the daemon's error codes. */
const ADVICE: ReadonlyMap<string, Advice> = new Map([
  ["SESSION_NOT_FOUND", { hint: "list them: agentwire sessions; add --deleted for deleted ones" }],
  ["QUESTION_NOT_FOUND", { hint: "list open ones: agentwire questions" }],
  ["PERMISSION_STALE", { hint: "list open questions: agentwire questions" }],
  ["INVALID_ARGUMENT", { exitCode: EXIT_CODES.badUsage }],
  ["NOT_INPUT_HOLDER", {}],
  ["WORKSPACE_REFUSED", {}],
  ["WORKTREE_REFUSED", {}],
  ["STORE_UNAVAILABLE", { hint: "details: agentwire doctor" }],
  ["AGENT_FAILED", { hint: "find agents: agentwire doctor" }],
  ["NAME_TAKEN", { hint: "choose another name, or revoke that one first: agentwire tokens revoke NAME" }],
  ["PORT_IN_USE", { hint: "choose another: --port N, or 0 for a free one" }],
  ["SETTINGS_UNUSABLE", { exitCode: EXIT_CODES.badConfig }],
  ["FORBIDDEN", { hint: "create a token with a wider scope: agentwire tokens create" }],
  ["TOO_MANY", { hint: "try again later" }],
  ["BUDGET_EXHAUSTED", { hint: "raise it: agentwire usage budget" }],
  ["SHUTTING_DOWN", { hint: "try again when that node is back" }],
]);

/** The error to show for a failed request; undefined if it does not come from a daemon. */
export function toCliError(error: unknown): CliError | undefined {
  if (!(error instanceof ConnectError)) return undefined;
  const [, code = "", text = error.rawMessage] = /^([A-Z_]+): (.*)$/s.exec(error.rawMessage) ?? [];
  const advice = ADVICE.get(code);
  if (advice) return new CliError(sentence(text), { ...advice, cause: error });
  const distrust = distrustOf(error);
  if (distrust) return distrust;
  if (error.code === Code.Unauthenticated)
    return new CliError(text.startsWith("send a token") ? "the daemon requires a token" : sentence(text), {
      hint: "pass a valid one: --token-file FILE or AGENTWIRE_TOKEN_FILE; create one there: agentwire tokens create",
      cause: error,
    });
  if (isForbidden(error))
    return new CliError(`${error.rawMessage}: that daemon belongs to another user`, {
      hint: "choose your own with --folder or AGENTWIRE_HOME",
      cause: error,
    });
  if (isGone(error))
    return new CliError("the daemon does not answer", {
      hint: "check it: agentwire daemon status, agentwire doctor",
      cause: error,
    });
  return new CliError(text, {
    hint: "see the daemon's log: agentwire daemon status shows its path",
    cause: error,
  });
}

/** Why something failed, as a sentence that is shown without further details. */
export function reasonOf(error: unknown): string {
  const known = toCliError(error);
  if (!known) return errorMessage(error);
  return known.hint === undefined ? known.message : `${known.message} (${known.hint})`;
}

/** Whether the system denies access to the socket. */
function isForbidden(error: ConnectError): boolean {
  const { cause } = error as { cause?: { readonly code?: unknown } };
  return cause?.code === "EACCES" || cause?.code === "EPERM";
}

/** Whether another client holds the input. */
export const isNotHolder = (error: unknown): boolean =>
  error instanceof ConnectError && error.rawMessage.startsWith("NOT_INPUT_HOLDER:");

/** The system's error codes when no daemon is listening or it has exited. */
const GONE: ReadonlySet<unknown> = new Set(["ENOENT", "ENOTDIR", "ECONNREFUSED", "ECONNRESET", "EPIPE"]);

/** The message and hint for each kind of TLS failure. */
const DISTRUST: readonly (readonly [RegExp, string, string])[] = [
  [
    /SELF_SIGNED|UNABLE_TO_(?:VERIFY|GET_ISSUER)|CERT_UNTRUSTED/,
    "the daemon's certificate is not signed by a trusted authority",
    "name the authority that signed it: --ca FILE or AGENTWIRE_CA",
  ],
  [/ALTNAME/, "the daemon's certificate is for another name", "use a name in the certificate"],
  [
    /CERT_HAS_EXPIRED|CERT_NOT_YET/,
    "the daemon's certificate has expired or is not valid yet",
    "renew it on the daemon's machine",
  ],
  [
    /ALERT_(?:CERTIFICATE_REQUIRED|HANDSHAKE_FAILURE|UNKNOWN_CA|BAD_CERTIFICATE)/,
    "the daemon requires a client certificate",
    "pass one: --cert FILE and --key FILE",
  ],
  [
    /WRONG_VERSION_NUMBER|PACKET_LENGTH_TOO_LONG|EPROTO/,
    "the server does not use TLS",
    "for a port without TLS on this machine: http://127.0.0.1:PORT",
  ],
  [
    /KEY_VALUES_MISMATCH|PEM|ERR_OSSL|DECODER/,
    "the certificate, the key or the authority can't be used",
    "they must be PEM files, and the key must match the certificate",
  ],
];

/** The error for a failed TLS handshake; undefined if the failure was something else. */
function distrustOf(error: ConnectError): CliError | undefined {
  const { cause } = error as { cause?: { readonly code?: unknown; readonly message?: unknown } };
  const said = `${cause?.code ?? ""} ${cause?.message ?? ""}`;
  const [, message, hint] = DISTRUST.find(([pattern]) => pattern.test(said)) ?? [];
  return message === undefined || hint === undefined
    ? undefined
    : new CliError(message, { hint, cause: error });
}

/** Whether no daemon is listening or it has exited, so that retrying makes sense. */
export function isGone(error: unknown): boolean {
  if (!(error instanceof ConnectError)) return false;
  const { cause } = error as { cause?: { readonly code?: unknown } };
  if (distrustOf(error)) return false;
  return GONE.has(cause?.code) || error.code === Code.Unavailable || error.code === Code.Aborted;
}

/** The codes reported for a connection that breaks during a request. */
const BROKEN: ReadonlySet<Code> = new Set([Code.Internal, Code.Unknown, Code.Canceled, Code.InvalidArgument]);

/** Whether retrying is pointless. A connection that broke during a request may recover, and never carries a code of the daemon. */
export function isFinal(error: unknown, isAgain: boolean): boolean {
  if (isGone(error)) return false;
  if (isAgain || !(error instanceof ConnectError)) return true;
  return !BROKEN.has(error.code) || /^[A-Z_]+: /.test(error.rawMessage);
}

const sentence = (text: string) =>
  text.replace(/\.$/, "").replace(/^[A-Z](?=[a-z]* )/, (letter) => letter.toLowerCase());
