import {
  type Handlers,
  isJsonObject,
  type JsonObject,
  ProtocolError,
  type RequestContext,
} from "@agentwire/protocol";
import { hostRequests } from "@agentwire/protocol/control";
import { sessionStatus } from "../control/session-status.ts";
import type { HostInput } from "../session/host-input.ts";
import type { OpenSession, Sessions } from "./sessions.ts";

type Subtype = keyof typeof hostRequests;
type AnyHandler = (request: never, context: RequestContext) => unknown;

/** The recipients of a host's requests if it may use several sessions. */
export interface RequestTarget {
  readonly sessions: Sessions;
  readonly hostInput: HostInput;
  /** The session that is used if none is named. */
  readonly ownId: string;
  /** Ends the process after its last turn. */
  end(): void;
}

/**
 * Request handlers. Requests name no session, so they go, in order, to the session that is running, or else to the one used last.
 */
export function sessionRequests(target: RequestTarget): Handlers<typeof hostRequests> {
  const handlers = Object.keys(hostRequests).map((subtype) => [
    subtype,
    (request: never, context: RequestContext) =>
      target.hostInput.inOrder(() => pass(target, subtype as Subtype, request, context)),
  ]);
  return Object.fromEntries(handlers);
}

function pass(target: RequestTarget, subtype: Subtype, request: never, context: RequestContext): unknown {
  const { sessions, ownId } = target;
  const { current } = sessions;
  if (subtype === "session_status") return status(target);
  if (subtype === "end_session") {
    target.end();
    return {};
  }
  if (current) return answer(sessions, current, subtype, request, context);
  if (subtype === "interrupt") return { still_queued: [], interrupted: false };
  return new Promise((resolve, reject) => {
    sessions.withSession(
      ownId,
      (session) => resolve(answer(sessions, session, subtype, request, context)),
      (reason) => reject(new ProtocolError("refused", reason)),
    );
  });
}

function answer(
  sessions: Sessions,
  session: OpenSession,
  subtype: Subtype,
  request: never,
  context: RequestContext,
): unknown {
  const handler: AnyHandler | undefined = session.handlers[subtype];
  if (!handler) {
    const errorCode = "unsupported_request";
    throw new ProtocolError(errorCode, `this agent does not support ${subtype}`, { errorCode });
  }
  const { isRunning } = session.agent.session;
  const answered = handler(request, context);
  // Only here is it known whether an interrupt came in time.
  if (subtype === "interrupt" && isJsonObject(answered)) return { ...answered, interrupted: isRunning };
  if (subtype !== "initialize") return answered;
  return Promise.all([answered, sessions.greet(request, session)]).then(([greeting]) => greeting);
}

function status({ sessions, ownId }: RequestTarget): JsonObject {
  const { all, current } = sessions;
  const session = current?.agent.session;
  return {
    ...(session ? sessionStatus(session) : { running: false, session_id: ownId }),
    queued_messages: all.reduce((sum, { agent }) => sum + agent.session.context.inbox.length, 0),
  };
}
