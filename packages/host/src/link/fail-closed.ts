import {
  type Handlers,
  isJsonObject,
  type JsonObject,
  ProtocolError,
  type RequestContext,
} from "@agentwire/protocol";
import type { agentRequests } from "@agentwire/protocol/control";
import { readPermissionResult } from "@agentwire/protocol/permission";
import { after, errorMessage } from "@agentwire/protocol/support";

type AgentHandlers = Handlers<typeof agentRequests>;

/** What the agent is answered if no handler does; a throw becomes an error answer. */
type Refusals = { readonly [S in keyof typeof agentRequests]: (reason: string) => JsonObject };

const REFUSALS: Refusals = {
  can_use_tool: (message) => ({ behavior: "deny", message }),
  elicitation: () => ({ action: "decline" }),
  request_user_dialog: () => ({ behavior: "cancelled" }),
  // Whether a missing answer blocks was settled when the hook was registered (`onFailure`): the agent only has to know that it failed.
  hook_callback: fail,
  mcp_message: fail,
  read_text_file: fail,
  write_text_file: fail,
  create_terminal: fail,
  terminal_output: fail,
  wait_for_terminal_exit: fail,
  kill_terminal: fail,
  release_terminal: fail,
};

/**
 * Wraps handlers so that the agent always gets an answer: if there is no handler, or it throws, returns something that is not an
 * answer, or never answers, the agent is refused. `opened` is called for each question and returns a function to call when
 * the question is settled.
 */
export function failClosed(
  handlers: AgentHandlers,
  answerMs: number,
  opened: () => () => void,
): AgentHandlers {
  const closed = Object.entries(REFUSALS).map(([subtype, refuse]) => {
    const handler = handlers[subtype as keyof Refusals] as AnyHandler | undefined;
    return [
      subtype,
      handler ? guarded({ subtype, handler, refuse, answerMs, opened }) : missing(subtype, refuse),
    ];
  });
  return Object.fromEntries(closed);
}

type AnyHandler = (request: unknown, context: RequestContext) => unknown;

interface Guarded {
  readonly subtype: string;
  readonly handler: AnyHandler;
  readonly refuse: (reason: string) => JsonObject;
  readonly answerMs: number;
  readonly opened: () => () => void;
}

function missing(subtype: string, refuse: (reason: string) => JsonObject): AnyHandler {
  return () => refuse(`the host has no handler for ${subtype}`);
}

function guarded({ subtype, handler, refuse, answerMs, opened }: Guarded): AnyHandler {
  return async (request, context) => {
    const settled = opened();
    try {
      const answer = await inTime(answerMs, context, (inner) => handler(request, inner));
      return subtype === "can_use_tool" ? decisionOf(answer) : answer;
    } catch (error) {
      return refuse(errorMessage(error));
    } finally {
      settled();
    }
  };
}

/** Calls a handler with a signal that also fires at the deadline; a request that was withdrawn is not waited for. */
async function inTime(
  ms: number,
  context: RequestContext,
  call: (context: RequestContext) => unknown,
): Promise<unknown> {
  const late = new AbortController();
  const stopTimer = after(ms, () => late.abort(new Error(`the host did not answer within ${ms} ms`)));
  const signal = AbortSignal.any([context.signal, late.signal]);
  try {
    return await Promise.race([call({ ...context, signal }), abortOf(signal)]);
  } finally {
    stopTimer();
  }
}

function abortOf(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    signal.addEventListener("abort", () => reject(signal.reason), { once: true });
  });
}

function decisionOf(answer: unknown): unknown {
  const decision = readPermissionResult(answer);
  // Passed on as the handler wrote it, if it can be read at all: the agent may know more fields than this host.
  return isJsonObject(answer) && answer.behavior === decision.behavior ? answer : decision;
}

function fail(reason: string): never {
  throw new ProtocolError("refused", reason);
}
