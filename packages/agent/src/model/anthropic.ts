import { KeyHelper, MISSING_CREDENTIALS, ModelError } from "@agentwire/models";
import { isFramed } from "@agentwire/models/http";
import { type Connection, type ConnectionOptions, connect } from "./anthropic-connection.ts";
import { AnthropicReply, eventGroups, singleGroups } from "./anthropic-reply.ts";
import { betasOf, createRequestWriter, type RequestDefaults } from "./anthropic-request.ts";
import type { Cloud } from "./clouds.ts";
import type { Model } from "./model.ts";

/** How to reach the Messages API. */
export interface AnthropicOptions extends RequestDefaults, ConnectionOptions {
  /** The cloud that serves it, if not Anthropic itself. */
  readonly cloud?: Cloud | undefined;
  readonly apiKey?: string;
  /** Sent as `Authorization: Bearer …`. */
  readonly authToken?: string;
  /** A command that prints the key. */
  readonly apiKeyHelper?: string;
  /** How long a printed key is used. */
  readonly apiKeyHelperTtlMs?: number | undefined;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A model behind the Messages API, called through the official client. */
export function anthropicModel(options: AnthropicOptions): Model {
  const helper =
    options.apiKeyHelper === undefined || options.cloud
      ? undefined
      : new KeyHelper(options.apiKeyHelper, options.apiKeyHelperTtlMs);
  // Start before there is a prompt: loading the client takes as long as many hosts need to send one.
  const connection = open(options, helper);
  connection?.catch(() => {});
  helper?.get().catch(() => {});
  const writeRequest = createRequestWriter();
  return {
    async call(call, signal) {
      if (!connection) throw new ModelError(null, MISSING_CREDENTIALS, "no API key or auth token is set");
      const [{ clientFor, failureOf, cloudName }, key] = await Promise.all([connection, helper?.get()]);
      signal.throwIfAborted();
      // A helper may print a key or a token: send it in both headers, as the official agent does.
      const printed = key === undefined ? {} : { "x-api-key": key, authorization: `Bearer ${key}` };
      const betas = betasOf(call, options).join();
      // The client never removes its listener from the signal it gets, and the signal of a turn serves many calls.
      const own = new AbortController();
      const abort = () => own.abort(signal.reason);
      const unlink = () => signal.removeEventListener("abort", abort);
      signal.addEventListener("abort", abort, { once: true });
      try {
        // We write the body: the client's own method would serialize the whole conversation again for every call.
        const sent = clientFor(call.model).post<AsyncIterable<unknown>>("/v1/messages", {
          query: { beta: true },
          headers: {
            "content-type": "application/json",
            ...printed,
            ...(betas && { "anthropic-beta": betas }),
          },
          // The clients of clouds modify the request, which they can do only if it is a string.
          body: cloudName
            ? writeRequest({ ...call, model: cloudName(call.model) }, options).toString()
            : writeRequest(call, options),
          stream: true,
          signal: own.signal,
        });
        const response = await sent.asResponse();
        const requestId = response.headers.get("request-id") ?? response.headers.get("x-amzn-requestid");
        const groups = isFramed(response.headers)
          ? singleGroups(await sent)
          : eventGroups(response.body as unknown as AsyncIterable<Uint8Array>, requestId);
        const events = new AnthropicReply(groups, { signal, failureOf, onEnd: unlink });
        return { ...(requestId !== null && { requestId }), events };
      } catch (error) {
        unlink();
        signal.throwIfAborted();
        const failure = failureOf(error);
        if (failure?.status === 401) helper?.renew();
        throw failure ?? error;
      }
    },
  };
}

/** Undefined if there are no credentials. A cloud has its own, and never gets those for Anthropic. */
function open(options: AnthropicOptions, helper: KeyHelper | undefined): Promise<Connection> | undefined {
  const { cloud, authToken, headers: own = {} } = options;
  if (cloud)
    return import("./cloud-connection.ts").then(({ connectCloud }) =>
      connectCloud(cloud, { ...options, headers: own, gatewayToken: authToken }),
    );
  const headers = authHeaders(options) ?? (helper && own);
  return headers && connect(options, { ...headers });
}

/** Undefined if there are no credentials. */
function authHeaders({
  apiKey,
  authToken,
  headers = {},
}: AnthropicOptions): Record<string, string> | undefined {
  const all = {
    ...(apiKey && { "x-api-key": apiKey }),
    ...(authToken && { authorization: `Bearer ${authToken}` }),
    ...headers,
  };
  return Object.keys(all).some((name) => /^(x-api-key|authorization)$/i.test(name)) ? all : undefined;
}
