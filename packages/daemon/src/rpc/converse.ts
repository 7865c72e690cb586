import { setMaxListeners } from "node:events";
import { type ConverseRequest, ConverseResponseSchema, type WatchRequest } from "@agentwire/api";
import { create, type MessageInitShape } from "@bufbuild/protobuf";
import type { HandlerContext } from "@connectrpc/connect";
import { IDENTITY, type Identity, requireScope } from "../access/identity.ts";
import { COMMAND_SCOPES, scopeOfDecision } from "../access/rpc-scopes.ts";
import type { Daemon } from "../daemon.ts";
import { DaemonError } from "../errors.ts";
import { type TraceContext, traceContextOf } from "../tracing/trace-context.ts";
import { callerOf } from "./caller.ts";
import { contentOf } from "./check-request.ts";
import { presentable, toConnectError } from "./errors.ts";
import { commandElsewhere } from "./forwarding.ts";
import { Outbox } from "./outbox.ts";
import { answerQuestion, decideQuestion } from "./question-service.ts";
import { unlessStoreFails } from "./store-guard.ts";
import { watchBeside } from "./watch.ts";

type Response = MessageInitShape<typeof ConverseResponseSchema>;

/**
 * Watches sessions and runs commands on one stream; the result of each command carries its request id. When the client ends its
 * side, the remaining results are still sent before the stream ends.
 */
export async function* converse(
  daemon: Daemon,
  requests: AsyncIterable<ConverseRequest>,
  context: HandlerContext,
) {
  // Each watched session adds a listener for the end of the stream.
  setMaxListeners(0, context.signal);
  const responses = new Outbox<Response>(context.signal);
  const running = new Set<Promise<void>>();
  const caller = callerOf(context);
  const identity = context.values.get(IDENTITY);
  /** Throws unless the client's scope and rate allow the command. */
  const mustBeAllowed = ({ command }: ConverseRequest) => {
    if (command.case === undefined) throw new DaemonError("INVALID_ARGUMENT", "no command is given");
    requireScope(identity, COMMAND_SCOPES[command.case]);
    if (command.case === "decide") requireScope(identity, scopeOfDecision(command.value));
    if (!identity.take()) throw new DaemonError("TOO_MANY", "too many commands per second");
  };
  const trace = traceContextOf(context.requestHeader);
  const follow = async (command: ConverseRequest, request: WatchRequest) => {
    mustBeAllowed(command);
    const over = identity.hold();
    if (!over) throw new DaemonError("TOO_MANY", "too many open requests, including watched sessions");
    try {
      for await (const response of watchBeside(daemon, request, context)) {
        responses.push({ message: { case: "watch", value: response } });
        // Unread events wait in the log, not in memory.
        await responses.room();
      }
    } finally {
      over();
    }
  };
  const done = (
    requestId: string,
    result: { promptId?: string; errorCode?: string; errorMessage?: string },
  ) => responses.push({ message: { case: "done", value: { requestId, ...result } } });
  const fail = (requestId: string, error: unknown) => {
    const { code, rawMessage } = presentable(toConnectError(error), daemon.redact);
    done(requestId, { errorCode: String(code), errorMessage: rawMessage });
  };
  const obey = async (request: ConverseRequest) => {
    const { command, requestId } = request;
    try {
      mustBeAllowed(request);
      const promptId = await unlessStoreFails(daemon, () =>
        run(daemon, command as Command, { caller, identity, trace, context }),
      );
      done(requestId, { promptId: promptId ?? "" });
    } catch (error) {
      fail(requestId, error);
    }
  };
  const read = async () => {
    for await (const request of requests) {
      if (request.command.case === "watch")
        follow(request, request.command.value).catch((error: unknown) => fail(request.requestId, error));
      else {
        const obeyed = obey(request).finally(() => running.delete(obeyed));
        running.add(obeyed);
      }
      await responses.room();
    }
    await Promise.all(running);
  };
  let failure: unknown;
  read()
    .catch((error: unknown) => {
      failure = error;
    })
    .finally(() => responses.end());
  for await (const response of responses) yield create(ConverseResponseSchema, response);
  // A read error ends the stream, unless the client is already gone.
  if (failure !== undefined && !context.signal.aborted) throw failure;
}

type Command = Exclude<ConverseRequest["command"], { case: "watch" }>;

/** The origin of a command. */
interface Origin {
  readonly caller: string;
  readonly identity: Identity;
  readonly trace: TraceContext | undefined;
  readonly context: HandlerContext;
}

/** Runs a command; returns the id of the prompt if it was one. */
async function run(
  daemon: Daemon,
  command: Command,
  { caller, identity, trace, context }: Origin,
): Promise<string | undefined> {
  const { registry } = daemon;
  const elsewhere = await commandElsewhere(daemon, command, identity, context);
  if (elsewhere) return elsewhere.promptId;
  switch (command.case) {
    case "sendPrompt": {
      const session = await registry.get(command.value.sessionId);
      session.input.mustHold(caller);
      registry.mustTake();
      daemon.mustBeStorable();
      const key = command.value.idempotencyKey || null;
      return (await session.send(contentOf(command.value), caller, key, trace)).promptId;
    }
    case "interrupt": {
      const session = await registry.get(command.value.sessionId);
      session.input.mustHold(caller);
      await session.interrupt();
      return undefined;
    }
    case "decide":
      daemon.mustBeStorable();
      await decideQuestion(daemon, command.value, caller, identity);
      return undefined;
    case "answer":
      daemon.mustBeStorable();
      await answerQuestion(daemon, command.value, caller);
      return undefined;
    case "takeInput":
      (await registry.get(command.value.sessionId)).input.take(caller, command.value.force);
      return undefined;
    case "releaseInput":
      (await registry.get(command.value.sessionId)).input.release(caller);
      return undefined;
    case "requestInput":
      (await registry.get(command.value.sessionId)).input.request(caller);
      return undefined;
    case "handOverInput":
      (await registry.get(command.value.sessionId)).input.answer(
        caller,
        command.value.to,
        command.value.refuse,
      );
      return undefined;
    default:
      return undefined;
  }
}
