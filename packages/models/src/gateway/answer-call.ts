import type { IncomingMessage, ServerResponse } from "node:http";
import type { Usage } from "@agentwire/protocol/messages";
import { NO_USAGE } from "@agentwire/protocol/messages";
import { after } from "@agentwire/protocol/support";
import { startFold } from "../fold.ts";
import { ModelError } from "../model-error.ts";
import { costByPrices } from "../providers/cost.ts";
import type { Prices } from "../providers/provider.ts";
import type { ModelReply } from "../request.ts";
import type { Calls } from "./calls.ts";
import type { GatewayClient } from "./client.ts";
import { refuse, sendJson, statusOf } from "./error-reply.ts";
import type { GatewayLimits } from "./limits.ts";
import { meantModel } from "./model-names.ts";
import { readBody } from "./read-body.ts";
import { streamEvents } from "./stream-events.ts";

interface Around {
  readonly calls: Calls;
  readonly limits: GatewayLimits;
}

/** Answers `POST /v1/messages`; if the client disconnects, the call at the provider is aborted. */
export async function answerCall(
  request: IncomingMessage,
  response: ServerResponse,
  client: GatewayClient,
  { calls, limits }: Around,
): Promise<void> {
  const call = calls.begin();
  const begunAt = performance.now();
  const gone = () => call.abort(new ModelError(499, "api_error", "the client disconnected"));
  response.once("close", gone);
  const cancel = after(limits.callMs, () =>
    call.abort(
      new ModelError(504, "timeout_error", `the call took longer than ${limits.callMs / 1000} seconds`),
    ),
  );
  let model = "";
  let usage: Usage = NO_USAGE;
  let prices: Prices | undefined;
  let failure: unknown;
  try {
    const { stream, ...asked } = await readBody(request, limits.maxBodyBytes);
    const named = meantModel(asked.model, client);
    model = `${named.provider.name}/${named.model}`;
    prices = named.facts.prices;
    const reply = await calls.clientOf(named.provider).send({ ...asked, model }, call.signal);
    usage = await (stream === true ? streamEvents : sendWhole)(reply, response, call.signal);
  } catch (error) {
    failure = call.signal.aborted ? call.signal.reason : error;
    refuse(response, failure);
  } finally {
    cancel();
    response.off("close", gone);
    calls.end(call);
  }
  client.onCall({
    model,
    status: failure === undefined ? 200 : statusOf(failure),
    ms: performance.now() - begunAt,
    inputTokens: usage.input_tokens,
    outputTokens: usage.output_tokens,
    cacheReadInputTokens: usage.cache_read_input_tokens,
    cacheCreationInputTokens: usage.cache_creation_input_tokens,
    costUsd: prices === undefined ? undefined : costByPrices(prices, usage),
    ...(failure instanceof Error && { error: failure.message }),
  });
}

async function sendWhole({ events }: ModelReply, response: ServerResponse): Promise<Usage> {
  const fold = startFold();
  for await (const event of events) fold.push(event);
  const { message } = fold;
  sendJson(response, 200, message);
  return message.usage;
}
