import type { JsonObject } from "@agentwire/protocol";
import type { MessagesRequest } from "../request.ts";
import type { CallContext } from "../translate/context.ts";

/** The Messages API requires a limit in each request. */
const USUAL_REPLY_TOKENS = 32_000;

/** A request for the Messages API itself: unchanged except for the provider's own model name. */
export function toMessagesRequest(request: MessagesRequest, { model, facts }: CallContext): JsonObject {
  const { max_tokens = USUAL_REPLY_TOKENS } = request;
  return {
    ...request,
    model,
    max_tokens: Math.min(max_tokens, facts.maxOutputTokens ?? max_tokens),
    stream: true,
  };
}
