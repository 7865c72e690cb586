import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { isJsonObject, type JsonObject } from "@agentwire/protocol";
import { foundModels } from "../providers/list-models.ts";
import type { Providers } from "../providers/providers.ts";
import { newId } from "../translate/ids.ts";
import { isMedia } from "../translate/media.ts";
import { estimateTokens } from "../translate/usage.ts";
import { answerCall } from "./answer-call.ts";
import { Calls } from "./calls.ts";
import type { GatewayClient } from "./client.ts";
import { refuse, requestError, sendJson } from "./error-reply.ts";
import { DEFAULT_LIMITS, type GatewayLimits } from "./limits.ts";
import { type GatewayRequest, readBody } from "./read-body.ts";

/** Options for starting a gateway. */
export interface GatewayOptions {
  /** Returns the client that a token belongs to; undefined for an unknown token. Must compare in constant time. */
  readonly admit: (token: string) => GatewayClient | undefined;
  /** Defaults to the loopback interface. */
  readonly host?: string;
  /** Defaults to any free port. */
  readonly port?: number;
  readonly limits?: Partial<GatewayLimits>;
}

/** A running gateway. */
export interface Gateway {
  readonly url: string;
  /** Stops listening and ends the running calls. */
  close(): Promise<void>;
}

/** How long a client may take to send the headers, and then the body. */
const HEADERS_MS = 30_000;
const BODY_MS = 60_000;

/** Serves the Messages API with the models of any provider. */
export async function startGateway(options: GatewayOptions): Promise<Gateway> {
  const limits = { ...DEFAULT_LIMITS, ...options.limits };
  const calls = new Calls(limits);
  const server = createServer(
    { headersTimeout: HEADERS_MS, requestTimeout: BODY_MS },
    (request, response) => {
      answer(request, response, { ...options, calls, limits }).catch((error: unknown) =>
        refuse(response, error),
      );
    },
  );
  server.maxConnections = limits.maxCalls * 4;
  server.listen(options.port ?? 0, options.host ?? "127.0.0.1");
  await once(server, "listening");
  return {
    url: urlOf(server.address() as AddressInfo),
    async close() {
      calls.abortAll();
      const closed = once(server, "close");
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

const urlOf = ({ address, port, family }: AddressInfo) =>
  `http://${family === "IPv6" ? `[${address}]` : address}:${port}`;

interface Around extends GatewayOptions {
  readonly calls: Calls;
  readonly limits: GatewayLimits;
}

async function answer(request: IncomingMessage, response: ServerResponse, around: Around): Promise<void> {
  response.setHeader("request-id", newId("req"));
  const { pathname } = new URL(request.url ?? "/", "http://gateway");
  // The official CLI checks that a server exists before it sends its token.
  if (pathname === "/" && (request.method === "HEAD" || request.method === "GET"))
    return sendJson(response, 200, {});
  const client = around.admit(tokenOf(request));
  if (!client)
    throw requestError(
      401,
      "authentication_error",
      "invalid x-api-key or bearer token: use the gateway's token",
    );
  const route = `${request.method} ${pathname}`;
  if (route === "POST /v1/messages") return answerCall(request, response, client, around);
  if (route === "POST /v1/messages/count_tokens") {
    const body = await readBody(request, around.limits.maxBodyBytes);
    return sendJson(response, 200, countTokens(body));
  }
  if (route === "GET /v1/models") return sendJson(response, 200, await listedModels(client.providers));
  throw requestError(404, "not_found_error", `${route} is not served here`);
}

function tokenOf({ headers }: IncomingMessage): string {
  const key = headers["x-api-key"];
  const [, bearer] = /^Bearer +(.+)$/i.exec(headers.authorization ?? "") ?? [];
  return bearer ?? (typeof key === "string" ? key : "");
}

/** The estimate for an image or a document, regardless of its size. */
const MEDIA_CHARACTERS = 6000;

/** Estimates the tokens of a request, because other providers have no endpoint for counting. */
function countTokens({ messages, system, tools }: GatewayRequest): { readonly input_tokens: number } {
  return { input_tokens: estimateTokens(lengthOf(messages) + lengthOf(system) + lengthOf(tools)) };
}

function lengthOf(value: unknown): number {
  if (typeof value === "string") return value.length;
  if (Array.isArray(value)) return value.reduce((sum: number, item) => sum + lengthOf(item), 0);
  if (!isJsonObject(value)) return value === undefined ? 0 : String(value).length;
  if (typeof value.type === "string" && isMedia({ ...value, type: value.type })) return MEDIA_CHARACTERS;
  return Object.entries(value).reduce((sum, [key, item]) => sum + key.length + lengthOf(item), 0);
}

/** How long providers may take to list their models. */
const LIST_MS = 5000;

/** The response to `GET /v1/models`: the models of all reachable providers. */
async function listedModels(providers: Providers): Promise<JsonObject> {
  const lists = await foundModels(providers, [], AbortSignal.timeout(LIST_MS));
  const data = lists.flatMap(({ provider, models }) =>
    models.map(({ id, created }) => ({
      type: "model",
      id: `${provider.name}/${id}`,
      display_name: `${id} (${provider.name})`,
      created_at: new Date((created ?? 0) * 1000).toISOString(),
    })),
  );
  return { data, has_more: false, first_id: data[0]?.id ?? null, last_id: data.at(-1)?.id ?? null };
}
