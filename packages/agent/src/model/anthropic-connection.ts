import type { ModelError } from "@agentwire/models";
import { createNodeFetch, proxyFor } from "@agentwire/models/http";
import { parseUrl } from "@agentwire/protocol/support";
import type { Anthropic, ClientOptions } from "@anthropic-ai/sdk";
import { toModelError } from "./anthropic-failure.ts";

/** How an Anthropic client reaches its server. */
export interface ConnectionOptions {
  readonly baseUrl?: string;
  /** Determines the proxy for requests. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** How long to wait for the start of an answer, and then for each piece of it. */
  readonly timeoutMs?: number;
}

/** A client, and how to read its errors. */
export interface Connection {
  /** The client for a model: a cloud may serve models in different regions. */
  clientFor(model: string): Pick<Anthropic, "post">;
  /** A failed call as a `ModelError`; undefined if neither the provider nor the network caused the error. */
  failureOf(error: unknown): ModelError | undefined;
  /** The cloud's own name for a model. */
  cloudName?(model: string): string;
}

const DEFAULT_TIMEOUT_MS = 600_000;

/** The options common to all Anthropic clients. */
export function clientOptions(
  baseURL: string,
  { env = {}, timeoutMs: timeout = DEFAULT_TIMEOUT_MS }: ConnectionOptions,
) {
  const url = parseUrl(baseURL);
  const proxy = url && proxyFor(url, env);
  return {
    baseURL,
    timeout,
    maxRetries: 0,
    fetch: createNodeFetch(timeout, proxy) as unknown as NonNullable<ClientOptions["fetch"]>,
    // The client logs to stdout, which is reserved for the protocol.
    logLevel: "off",
    openTelemetry: false,
  } as const;
}

/** Connects to Anthropic, or to a gateway in its place. */
export async function connect(
  options: ConnectionOptions,
  headers: Record<string, string>,
): Promise<Connection> {
  const { OwnCredentials, APIError } = await import("./anthropic-client.ts");
  const client = new OwnCredentials({
    ...clientOptions(options.baseUrl || "https://api.anthropic.com", options),
    apiKey: null,
    authToken: null,
    defaultHeaders: headers,
  });
  return {
    clientFor: () => client,
    failureOf: (error) => (error instanceof APIError ? toModelError(error) : undefined),
  };
}
