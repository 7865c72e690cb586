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

/** Methods about a session that every node answers from the store. */
const ANYWHERE: ReadonlySet<unknown> = new Set([
  ...[listEvents, QuestionService.method.listQuestions, UsageService.method.listUsage],
  NodeService.method.moveSession,
]);
/** How often to look for a session that keeps moving between nodes. */
const MAX_LOOKS = 5;

/** Forwards calls for sessions of other nodes to those nodes. */
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

/** Forwards a command of a stream to the node of its session; undefined if that is this one. */
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

/** Creates a session on a node that has its folder and a free slot; the same key gives the same session on every node. */
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

/** The session that a call is about; undefined for other calls. */
async function sessionOf({ store }: Daemon, message: object): Promise<string | undefined> {
  const { sessionId = "", questionId = "" } = message as { sessionId?: string; questionId?: string };
  if (questionId === "") return sessionId || undefined;
  return (await store.questions.find(questionId))?.sessionId;
}

/** Gives a call an idempotency key unless its client has, so that it can be sent again. */
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

/** Wraps the answer of another node with the headers and trailers that the library would add to a local one. */
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
