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

/** Where the requests of a host go that may speak to several sessions. */
export interface RequestTarget {
  readonly sessions: Sessions;
  readonly hostInput: HostInput;
  /** The session that is meant where none is named. */
  readonly ownId: string;
  /** Ends the process after its last turn. */
  end(): void;
}

/** Answers requests, which name no session, for the session that runs, else for the one that was used last; each in its turn. */
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
    sessions.speakTo(
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
  const { isRunning: runs } = session.agent.session;
  const said = handler(request, context);
  // Whether an interrupt came in time is known only here.
  if (subtype === "interrupt" && isJsonObject(said)) return { ...said, interrupted: runs };
  if (subtype !== "initialize") return said;
  return Promise.all([said, sessions.greet(request, session)]).then(([greeting]) => greeting);
}

function status({ sessions, ownId }: RequestTarget): JsonObject {
  const { all, current } = sessions;
  const session = current?.agent.session;
  return {
    ...(session ? sessionStatus(session) : { running: false, session_id: ownId }),
    queued_messages: all.reduce((sum, { agent }) => sum + agent.session.context.inbox.length, 0),
  };
}
