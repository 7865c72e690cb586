import { KeyHelper, MISSING_CREDENTIALS, ModelError } from "@agentwire/models";
import { isJsonObject, readMessage } from "@agentwire/protocol";
import { type ApiEvent, apiEvent } from "@agentwire/protocol/messages";
import { type Connection, type ConnectionOptions, connect } from "./anthropic-connection.ts";
import { betasOf, createRequestWriter, type RequestDefaults } from "./anthropic-request.ts";
import type { Cloud } from "./clouds.ts";
import type { Model } from "./model.ts";

/** How to reach the Messages API. */
export interface AnthropicOptions extends RequestDefaults, ConnectionOptions {
  /** The cloud that serves it, where that is not Anthropic. */
  readonly cloud?: Cloud | undefined;
  readonly apiKey?: string;
  /** Sent as `Authorization: Bearer …`. */
  readonly authToken?: string;
  /** A command that prints the key. */
  readonly apiKeyHelper?: string;
  /** How long a key that it printed is used. */
  readonly apiKeyHelperTtlMs?: number | undefined;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A model behind the Messages API, through the official client. */
export function anthropicModel(options: AnthropicOptions): Model {
  const helper =
    options.apiKeyHelper === undefined || options.cloud
      ? undefined
      : new KeyHelper(options.apiKeyHelper, options.apiKeyHelperTtlMs);
  // Begins before there is a prompt: loading the client takes as long as many a host needs to send one.
  const connection = open(options, helper);
  connection?.catch(() => {});
  helper?.get().catch(() => {});
  const writeRequest = createRequestWriter();
  return {
    async call(call, signal) {
      if (!connection) throw new ModelError(null, MISSING_CREDENTIALS, "no API key or auth token is set");
      const [{ clientFor, failureOf, cloudName }, key] = await Promise.all([connection, helper?.get()]);
      signal.throwIfAborted();
      // A helper may print a key or a token: both headers have it, as the official agent sends them.
      const printed = key === undefined ? {} : { "x-api-key": key, authorization: `Bearer ${key}` };
      const betas = betasOf(call, options).join();
      try {
        // Written by us: the client's own method would spell the whole conversation anew for every call.
        const { data, response } = await clientFor(call.model)
          .post<AsyncIterable<unknown>>("/v1/messages", {
            query: { beta: true },
            headers: {
              "content-type": "application/json",
              ...printed,
              ...(betas && { "anthropic-beta": betas }),
            },
            // The clients of clouds change the request, which they can do only to a text.
            body: cloudName
              ? writeRequest({ ...call, model: cloudName(call.model) }, options).toString()
              : writeRequest(call, options),
            stream: true,
            signal,
          })
          .withResponse();
        const requestId = response.headers.get("request-id") ?? response.headers.get("x-amzn-requestid");
        return { ...(requestId !== null && { requestId }), events: readEvents(data, failureOf, signal) };
      } catch (error) {
        signal.throwIfAborted();
        const failure = failureOf(error);
        if (failure?.status === 401) helper?.renew();
        throw failure ?? error;
      }
    },
  };
}

/** Undefined if nothing identifies us. A cloud has credentials of its own, and is never shown those for Anthropic. */
function open(options: AnthropicOptions, helper: KeyHelper | undefined): Promise<Connection> | undefined {
  const { cloud, authToken, headers: own = {} } = options;
  if (cloud)
    return import("./cloud-connection.ts").then(({ connectCloud }) =>
      connectCloud(cloud, { ...options, headers: own, gatewayToken: authToken }),
    );
  const headers = authHeaders(options) ?? (helper && own);
  return headers && connect(options, { ...headers });
}

/** Undefined if nothing identifies us. */
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

async function* readEvents(
  stream: AsyncIterable<unknown>,
  failureOf: Connection["failureOf"],
  signal: AbortSignal,
): AsyncGenerator<ApiEvent> {
  let isComplete = false;
  try {
    for await (const value of stream) {
      const event = readEvent(value);
      if (!event || event.type === "ping") continue;
      // A reply that has said why it stops is whole, even if its last event gets lost.
      if (event.type === "message_stop" || hasStopped(event)) isComplete = true;
      yield event;
    }
  } catch (error) {
    // What breaks after the last event breaks nothing.
    if (isComplete) return;
    signal.throwIfAborted();
    throw error instanceof ModelError ? error : (failureOf(error) ?? cutStream(error));
  }
  // The client ends the stream in silence when it is aborted.
  signal.throwIfAborted();
  if (!isComplete) throw cutStream();
}

const hasStopped = (event: ApiEvent) => event.type === "message_delta" && event.delta.stop_reason !== null;

function cutStream(cause?: unknown): ModelError {
  return new ModelError(null, "stream_cut", "the connection to the model was lost in the middle of a reply", {
    cause,
  });
}

/** Reads leniently: what is newer than we are is kept, what makes no sense is left out. */
function readEvent(value: unknown): ApiEvent | undefined {
  // Almost every event takes this way out.
  if (apiEvent.accepts(value)) return value;
  if (!isJsonObject(value)) return undefined;
  let event: ApiEvent | undefined;
  readMessage(apiEvent.table, value, {
    message: (message) => {
      event = message;
    },
    repaired: () => {},
    malformed: () => {},
    reply: () => {},
  });
  return event;
}
