import type { MessagesRequest } from "@agentwire/models";
import { toRequest } from "./anthropic-request.ts";
import type { KnownProviders } from "./known-providers.ts";
import type { Model, ModelCall } from "./model.ts";

/** A model that sends each call to the provider that its name stands for, and all others to `own`. */
export function routedModel(own: Model, providers: KnownProviders): Model {
  return {
    async call(call, signal) {
      if (!providers.mayHave(call.model)) return own.call(call, signal);
      const named = await providers.find(call.model);
      if (!named) return own.call(call, signal);
      signal.throwIfAborted();
      const client = await providers.clientOf(named.provider);
      return client.send(requestOf(call), signal);
    },
  };
}

/** How long a reply may be is left to a model of which that is not known. */
function requestOf(call: ModelCall): MessagesRequest {
  const request = toRequest(call, { keepsForeignThinking: true });
  return { ...request, model: call.model, max_tokens: call.maxTokens } as unknown as MessagesRequest;
}
