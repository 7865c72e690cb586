import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { newId } from "../translate/ids.ts";
import { answerCall } from "./answer-call.ts";
import { Calls } from "./calls.ts";
import type { GatewayClient } from "./client.ts";
import { countTokens } from "./count-tokens.ts";
import { refuse, requestError, sendJson } from "./error-reply.ts";
import { DEFAULT_LIMITS, type GatewayLimits } from "./limits.ts";
import { listedModels } from "./listed-models.ts";
import { readBody } from "./read-body.ts";

/** What a gateway serves, to whom, and where. */
export interface GatewayOptions {
  /** Who a token belongs to; undefined for a token that is not known. It has to compare in constant time. */
  readonly admit: (token: string) => GatewayClient | undefined;
  /** The loopback interface unless given. */
  readonly host?: string;
  /** Any free port unless given. */
  readonly port?: number;
  readonly limits?: Partial<GatewayLimits>;
}

/** A gateway that listens. */
export interface Gateway {
  readonly url: string;
  /** Stops listening, and ends the calls that run. */
  close(): Promise<void>;
}

/** How long a client may take to send its head, and then its body. */
const HEADERS_MS = 30_000;
const BODY_MS = 60_000;

/** Serves the Messages API from the models of any provider. */
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
  // The official CLI looks whether anything is there before it says who it is.
  if (pathname === "/" && (request.method === "HEAD" || request.method === "GET"))
    return sendJson(response, 200, {});
  const client = around.admit(tokenOf(request));
  if (!client)
    throw requestError(
      401,
      "authentication_error",
      "invalid x-api-key or bearer token: give the gateway's token",
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
