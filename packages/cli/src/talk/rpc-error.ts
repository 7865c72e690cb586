import { EXIT_CODES, type ExitCode } from "@agentwire/protocol";
import { Code, ConnectError } from "@connectrpc/connect";
import { CliError } from "../errors.ts";

interface Advice {
  readonly exitCode?: ExitCode;
  readonly hint?: string;
}

/** What to do about each of the daemon's own codes. */
const ADVICE: ReadonlyMap<string, Advice> = new Map([
  [
    "SESSION_NOT_FOUND",
    { hint: "agentwire sessions lists them; agentwire sessions --deleted those put aside" },
  ],
  ["QUESTION_NOT_FOUND", { hint: "agentwire questions lists the open ones" }],
  ["PERMISSION_STALE", { hint: "agentwire questions lists what can still be answered" }],
  ["INVALID_ARGUMENT", { exitCode: EXIT_CODES.badUsage }],
  ["NOT_INPUT_HOLDER", {}],
  ["STORE_UNAVAILABLE", { hint: "agentwire doctor tells more" }],
  ["AGENT_FAILED", { hint: "agentwire doctor looks for agents" }],
  ["FORBIDDEN", { hint: "agentwire tokens create makes one that may" }],
  ["TOO_MANY", { hint: "try again later" }],
  ["BUDGET_EXHAUSTED", { hint: "agentwire usage budget raises it" }],
  ["SHUTTING_DOWN", { hint: "try again when it is back" }],
]);

/** What people are told of a failed request; undefined for what no daemon said. */
export function toCliError(error: unknown): CliError | undefined {
  if (!(error instanceof ConnectError)) return undefined;
  const [, code = "", text = error.rawMessage] = /^([A-Z_]+): (.*)$/s.exec(error.rawMessage) ?? [];
  const advice = ADVICE.get(code);
  if (advice) return new CliError(sentence(text), { ...advice, cause: error });
  if (isGone(error))
    return new CliError("the daemon does not answer", {
      hint: "agentwire daemon status tells how it is; agentwire doctor looks further",
      cause: error,
    });
  return new CliError(text, {
    hint: "the daemon's log says more: agentwire daemon status names it",
    cause: error,
  });
}

/** What the system says when nobody listens, or whoever did is gone. */
const GONE: ReadonlySet<unknown> = new Set(["ENOENT", "ECONNREFUSED", "ECONNRESET", "EPIPE"]);

/** Whether nobody listens, or whoever did is gone: something to try again. */
export function isGone(error: unknown): boolean {
  if (!(error instanceof ConnectError)) return false;
  const { cause } = error as { cause?: { readonly code?: unknown } };
  return GONE.has(cause?.code) || error.code === Code.Unavailable || error.code === Code.Aborted;
}

const sentence = (text: string) =>
  text.replace(/\.$/, "").replace(/^[A-Z](?=[a-z]* )/, (letter) => letter.toLowerCase());
