import { randomUUID } from "node:crypto";
import {
  type ConverseRequest,
  isRepeatable,
  NodeService,
  QuestionService,
  SessionService,
  UsageService,
} from "@agentwire/api";
import type { DescMethodUnary } from "@bufbuild/protobuf";
import {
  Code,
  ConnectError,
  type HandlerContext,
  type Interceptor,
  type UnaryRequest,
  type UnaryResponse,
} from "@connectrpc/connect";
import { IDENTITY, type Identity } from "../access/identity.ts";
import type { Cluster } from "../cluster/cluster.ts";
import { isForwarded } from "../cluster/forwarded.ts";
import type { Peer } from "../cluster/peers.ts";
import type { Daemon } from "../daemon.ts";
import { DaemonError } from "../errors.ts";
import { folderName } from "../permission/folder-name.ts";

const { createSession, sendPrompt, listEvents } = SessionService.method;

/** What every node answers from the store, though it is about a session. */
const ANYWHERE: ReadonlySet<unknown> = new Set([
  ...[listEvents, QuestionService.method.listQuestions, UsageService.method.listUsage],
  NodeService.method.moveSession,
]);
/** How often a session is looked for that moves from node to node. */
const MAX_LOOKS = 5;

/** Has calls for sessions of other nodes answered there. */
export function forwarding(daemon: Daemon): Interceptor {
  const { cluster } = daemon;
  if (!cluster) return (next) => next;
  return (next) => async (request) => {
    if (request.stream || isForwarded(request.header)) return next(request);
    if (request.method === createSession) return create(daemon, cluster, request, next);
    const sessionId = ANYWHERE.has(request.method) ? undefined : await sessionOf(daemon, request.message);
    if (sessionId === undefined) return next(request);
    if (request.method === sendPrompt) named(request.message);
    for (let looks = 0; ; looks++) {
      const message = await cluster.forwarder.call({
        ...callOf(request),
        sessionId,
        isRepeatable: isRepeatable(request.method),
      });
      if (message) return answer(request, message);
      try {
        return await next(request);
      } catch (error) {
        if (!isElsewhere(error) || looks >= MAX_LOOKS) throw error;
        cluster.forwarder.forget(sessionId);
      }
    }
  };
}

/** Has a command of a stream answered by the node of its session; undefined if that is this one. */
export async function commandElsewhere(
  daemon: Daemon,
  { case: name, value }: ConverseRequest["command"],
  identity: Identity,
  { requestHeader: header, signal }: HandlerContext,
): Promise<{ readonly promptId: string } | undefined> {
  if (!daemon.cluster || name === undefined || name === "watch") return undefined;
  const sessionId = await sessionOf(daemon, value);
  if (sessionId === undefined) return undefined;
  const method: DescMethodUnary = COMMANDS[name];
  if (name === "sendPrompt") named(value);
  const call = { sessionId, method, message: value, header, identity, signal, isRepeatable: true };
  const message = await daemon.cluster.forwarder.call(call);
  return message && { promptId: (message as { promptId?: string }).promptId ?? "" };
}

const { interrupt, takeInput, releaseInput, requestInput, handOverInput } = SessionService.method;
const { decide, answer: answerMethod } = QuestionService.method;
const COMMANDS = {
  ...{ sendPrompt, interrupt, takeInput, releaseInput, requestInput, handOverInput },
  ...{ decide, answer: answerMethod },
};

type Next = Parameters<Interceptor>[0];

/** A new session begins at the node that has its folder and room; the same key gives the same session, whichever node is asked. */
async function create({ store, config }: Daemon, cluster: Cluster, request: UnaryRequest, next: Next) {
  const key = named(request.message);
  for (let looks = 0; ; looks++) {
    try {
      const known = await store.sessions.findByKey(key);
      if (known) {
        const found = await cluster.forwarder.call({
          ...callOf(request),
          sessionId: known.id,
          isRepeatable: true,
        });
        return found ? answer(request, found) : await next(request);
      }
      const { cwd } = request.message as { readonly cwd?: string };
      const peer: Peer | undefined = await cluster.placeFor(folderName(cwd || config.defaultFolder));
      return peer ? answer(request, await cluster.forwarder.ask(peer, callOf(request))) : await next(request);
    } catch (error) {
      if (!isElsewhere(error) || looks >= MAX_LOOKS) throw error;
    }
  }
}

/** The session that a call is about; undefined if it is about none. */
async function sessionOf({ store }: Daemon, message: object): Promise<string | undefined> {
  const { sessionId = "", questionId = "" } = message as { sessionId?: string; questionId?: string };
  if (questionId === "") return sessionId || undefined;
  return (await store.questions.find(questionId))?.sessionId;
}

/** Gives a call a key under which it can be sent again, unless its client has. */
function named(message: object): string {
  const keyed = message as { idempotencyKey: string };
  keyed.idempotencyKey ||= randomUUID();
  return keyed.idempotencyKey;
}

const callOf = ({ method, message, header, contextValues, signal }: UnaryRequest) => ({
  method: method as DescMethodUnary,
  message,
  header,
  identity: contextValues.get(IDENTITY),
  signal,
});

/** The answer of another node as this one's; what the library would have put around its own stands here. */
function answer({ service, method, header }: UnaryRequest, message: UnaryResponse["message"]): UnaryResponse {
  const type = header.get("content-type") ?? "";
  return {
    stream: false,
    service,
    method,
    header: new Headers({ "content-type": type }),
    trailer: new Headers(type.startsWith("application/grpc") ? { "grpc-status": "0" } : {}),
    message,
  };
}

const isElsewhere = (error: unknown) =>
  error instanceof DaemonError
    ? error.code === "SESSION_ELSEWHERE"
    : error instanceof ConnectError &&
      error.code === Code.Aborted &&
      error.rawMessage.startsWith("SESSION_ELSEWHERE: ");
