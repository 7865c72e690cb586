import { type ConverseRequest, ConverseResponseSchema, type WatchRequest } from "@agentwire/api";
import { Queue } from "@agentwire/protocol";
import { create, type MessageInitShape } from "@bufbuild/protobuf";
import type { HandlerContext } from "@connectrpc/connect";
import type { Daemon } from "../daemon.ts";
import { callerOf } from "./caller.ts";
import { toConnectError } from "./errors.ts";
import { answerQuestion, decideQuestion } from "./question-service.ts";
import { contentOf } from "./session-service.ts";
import { watch } from "./watch.ts";

type Response = MessageInitShape<typeof ConverseResponseSchema>;

/** Watches and takes commands on one stream; each command is told how it went, by its request id. */
export async function* converse(
  daemon: Daemon,
  requests: AsyncIterable<ConverseRequest>,
  context: HandlerContext,
) {
  const responses = new Queue<Response>();
  const caller = callerOf(context);
  const follow = async (request: WatchRequest) => {
    for await (const response of watch(daemon.registry.get(request.sessionId), request, context))
      responses.push({ message: { case: "watch", value: response } });
  };
  const read = async () => {
    for await (const request of requests) {
      const { command, requestId } = request;
      if (command.case === "watch") void follow(command.value).catch((error) => fail(requestId, error));
      else
        void run(daemon, command, caller).then(
          (done) => succeed(requestId, done),
          (error) => fail(requestId, error),
        );
    }
  };
  const succeed = (requestId: string, promptId = "") =>
    responses.push({ message: { case: "done", value: { requestId, promptId } } });
  const fail = (requestId: string, error: unknown) => {
    const { code, rawMessage } = toConnectError(error);
    const value = { requestId, errorCode: String(code), errorMessage: rawMessage };
    responses.push({ message: { case: "done", value } });
  };
  context.signal.addEventListener("abort", () => responses.end(), { once: true });
  void read().then(
    () => responses.end(),
    () => responses.end(),
  );
  for await (const response of responses) yield create(ConverseResponseSchema, response);
}

type Command = Exclude<ConverseRequest["command"], { case: "watch" }>;

/** Does what was asked; the id of the prompt, where it was one. */
async function run(daemon: Daemon, command: Command, caller: string): Promise<string | undefined> {
  const { registry } = daemon;
  switch (command.case) {
    case "sendPrompt": {
      const session = registry.get(command.value.sessionId);
      session.input.mustHold(caller);
      daemon.mustBeStorable();
      const key = command.value.idempotencyKey || null;
      return (await session.send(contentOf(command.value), caller, key)).promptId;
    }
    case "interrupt":
      await registry.get(command.value.sessionId).interrupt();
      return undefined;
    case "decide":
      await decideQuestion(daemon, command.value, caller);
      return undefined;
    case "answer":
      await answerQuestion(daemon, command.value, caller);
      return undefined;
    case "takeInput":
      registry.get(command.value.sessionId).input.take(caller, command.value.force);
      return undefined;
    default:
      return undefined;
  }
}
