import { type MessagesRequest, ModelError } from "@agentwire/models";
import type { AnthropicOptions } from "./anthropic.ts";
import { toRequest } from "./anthropic-request.ts";
import type { KnownProviders } from "./known-providers.ts";
import type { Model, ModelCall } from "./model.ts";

/** Where Claude is called, if not at Anthropic's own address. */
type Elsewhere = Pick<AnthropicOptions, "baseUrl" | "cloud">;

/**
 * A model that sends each call to the provider that the model's name refers to, and all other calls to `own`. A name with an
 * unknown provider goes there only if it may be one of `own`'s: gateways and clouds have such names.
 */
export function routedModel(own: Model, providers: KnownProviders, { baseUrl, cloud }: Elsewhere): Model {
  const hasSlashes = Boolean(baseUrl || cloud);
  return {
    async call(call, signal) {
      if (!providers.mayHave(call.model)) return own.call(call, signal);
      const named = await providers.find(call.model);
      if (!named) {
        if (call.model.includes("/") && !hasSlashes) {
          const why = (await providers.load()).absence(call.model);
          throw new ModelError(404, "not_found_error", why, { isFinal: true });
        }
        return own.call(call, signal);
      }
      signal.throwIfAborted();
      const client = await providers.clientOf(named.provider);
      return client.send(requestOf(call), signal);
    },
  };
}

/** Leaves `max_tokens` unset for a model whose limit is not known. */
function requestOf(call: ModelCall): MessagesRequest {
  const request = toRequest(call, { keepsForeignThinking: true });
  return { ...request, model: call.model, max_tokens: call.maxTokens } as unknown as MessagesRequest;
}
