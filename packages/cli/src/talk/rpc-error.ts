import { EXIT_CODES, type ExitCode, errorMessage } from "@agentwire/protocol/support";
import { Code, ConnectError } from "@connectrpc/connect";
import { CliError } from "../errors.ts";

interface Advice {
  readonly exitCode?: ExitCode;
  readonly hint?: string;
}

/** What to do about each of the daemon's own codes. */
const ADVICE: ReadonlyMap<string, Advice> = new Map([
  ["SESSION_NOT_FOUND", { hint: "list them: agentwire sessions, with --deleted also deleted ones" }],
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

/** What people are told of a failed request; undefined for what no daemon said. */
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

/** Why something failed, in a sentence for people who see no more of it. */
export function reasonOf(error: unknown): string {
  const known = toCliError(error);
  if (!known) return errorMessage(error);
  return known.hint === undefined ? known.message : `${known.message} (${known.hint})`;
}

/** Whether the system does not let us at the socket. */
function isForbidden(error: ConnectError): boolean {
  const { cause } = error as { cause?: { readonly code?: unknown } };
  return cause?.code === "EACCES" || cause?.code === "EPERM";
}

/** Whether another client holds the input. */
export const isNotHolder = (error: unknown): boolean =>
  error instanceof ConnectError && error.rawMessage.startsWith("NOT_INPUT_HOLDER:");

/** The system's error codes when no daemon listens, or it has ended. */
const GONE: ReadonlySet<unknown> = new Set(["ENOENT", "ENOTDIR", "ECONNREFUSED", "ECONNRESET", "EPIPE"]);

/** What to do about each way in which two sides do not trust each other. */
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
    "renew it there",
  ],
  [
    /ALERT_(?:CERTIFICATE_REQUIRED|HANDSHAKE_FAILURE|UNKNOWN_CA|BAD_CERTIFICATE)/,
    "the daemon requires a client certificate",
    "pass one: --cert FILE and --key FILE",
  ],
  [
    /WRONG_VERSION_NUMBER|PACKET_LENGTH_TOO_LONG|EPROTO/,
    "the server there does not use TLS",
    "a port of this machine without TLS is http://127.0.0.1:PORT",
  ],
  [
    /KEY_VALUES_MISMATCH|PEM|ERR_OSSL|DECODER/,
    "the certificate, the key or the authority can't be used",
    "they must be PEM files, and the key must match the certificate",
  ],
];

/** What is told where TLS came to no end; undefined if that was not it. */
function distrustOf(error: ConnectError): CliError | undefined {
  const { cause } = error as { cause?: { readonly code?: unknown; readonly message?: unknown } };
  const said = `${cause?.code ?? ""} ${cause?.message ?? ""}`;
  const [, message, hint] = DISTRUST.find(([pattern]) => pattern.test(said)) ?? [];
  return message === undefined || hint === undefined
    ? undefined
    : new CliError(message, { hint, cause: error });
}

/** Whether no daemon listens, or it has ended: something to try again. */
export function isGone(error: unknown): boolean {
  if (!(error instanceof ConnectError)) return false;
  const { cause } = error as { cause?: { readonly code?: unknown } };
  if (distrustOf(error)) return false;
  return GONE.has(cause?.code) || error.code === Code.Unavailable || error.code === Code.Aborted;
}

/** What a connection says that breaks in the middle, in one of several ways. */
const BROKEN: ReadonlySet<Code> = new Set([Code.Internal, Code.Unknown, Code.Canceled, Code.InvalidArgument]);

/** Whether trying again won't change an error; one that breaks in the middle may, but never has a code of the daemon's. */
export function isFinal(error: unknown, isAgain: boolean): boolean {
  if (isGone(error)) return false;
  if (isAgain || !(error instanceof ConnectError)) return true;
  return !BROKEN.has(error.code) || /^[A-Z_]+: /.test(error.rawMessage);
}

const sentence = (text: string) =>
  text.replace(/\.$/, "").replace(/^[A-Z](?=[a-z]* )/, (letter) => letter.toLowerCase());
