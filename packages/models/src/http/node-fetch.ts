import type { Agent, ClientRequest, IncomingMessage } from "node:http";
import type { Socket } from "node:net";
import { PlainHeaders } from "./plain-headers.ts";
import { limitReply, wholeEvents } from "./whole-events.ts";

/** The part of a `fetch` call that the Anthropic client uses. */
export interface FetchInit {
  readonly method?: string;
  readonly headers?: Iterable<readonly [string, string]>;
  readonly body?: string | Uint8Array;
  readonly signal?: AbortSignal;
}

/** The part of a `fetch` response that the Anthropic client reads; the body is the undecoded data of the connection, in whole events. */
export interface FetchResponse {
  readonly ok: boolean;
  readonly status: number;
  readonly url: string;
  readonly headers: PlainHeaders;
  readonly body: AsyncIterable<Uint8Array>;
  text(): Promise<string>;
  /** Abandons the response and its connection. */
  destroy(): void;
}

/** A `fetch` for the Anthropic client. */
export type NodeFetch = (url: string, init?: FetchInit) => Promise<FetchResponse>;

interface Transport {
  readonly request: (url: URL, options: object) => ClientRequest;
  readonly agent: Agent;
}

/** The process's direct connections by protocol. Callers share them, because connections keep no caller's state. */
const direct = new Map<string, Promise<Transport>>();

/**
 * Creates a `fetch` based on node:http whose connections are kept alive and shared by all callers. The global `fetch` is slower to start and
 * passes every byte through web streams. A connection that is silent for `idleMs` is closed. With a proxy, all requests go through it.
 */
export function createNodeFetch(idleMs: number, proxy?: URL): NodeFetch {
  const transports = proxy ? new Map<string, Promise<Transport>>() : direct;

  const transportFor = (protocol: string) => {
    const transport = transports.get(protocol) ?? openTransport(protocol, proxy);
    transports.set(protocol, transport);
    return transport;
  };

  return async (url, init = {}) => {
    const target = new URL(url);
    const transport = await transportFor(target.protocol);
    init.signal?.throwIfAborted();
    return toResponse(url, await send(transport, target, init, idleMs));
  };
}

/** Loads only the protocol in use: TLS is slow to load, and a local gateway does not need it. */
async function openTransport(protocol: string, proxy: URL | undefined): Promise<Transport> {
  const isSecure = protocol === "https:";
  const { request, Agent } = isSecure ? await import("node:https") : await import("node:http");
  if (!proxy) return { request, agent: new Agent({ keepAlive: true }) };
  const { tunnelAgent } = await import("./proxy-tunnel.ts");
  return { request, agent: await tunnelAgent(proxy, isSecure) };
}

function send(transport: Transport, url: URL, init: FetchInit, idleMs: number): Promise<IncomingMessage> {
  const body = typeof init.body === "object" ? init.body : Buffer.from(init.body ?? "");
  return new Promise((resolve, reject) => {
    const request = transport.request(url, {
      agent: transport.agent,
      method: init.method ?? "GET",
      headers: { ...Object.fromEntries(init.headers ?? []), "content-length": body.length },
      signal: init.signal,
    });
    request.setTimeout(idleMs, () => request.destroy(new Error(`no data for ${idleMs / 1000} seconds`)));
    request.on("response", resolve);
    // Must stay for the life of the request: an error after the response is reported by the response, but emitted here as well.
    request.on("error", reject);
    request.on("socket", outliveRequest);
    request.end(body);
  });
}

const ignore = () => {};

/** Aborting a call right after its reply has ended breaks a connection that no request listens to any longer. */
function outliveRequest(socket: Socket): void {
  if (!socket.listeners("error").includes(ignore)) socket.on("error", ignore);
}

/** Whether a reply sends its events in binary frames, as AWS does. */
export const isFramed = (headers: Pick<Headers, "get">): boolean =>
  headers.get("content-type")?.startsWith("application/vnd.amazon.eventstream") ?? false;

function toResponse(url: string, incoming: IncomingMessage): FetchResponse {
  const status = incoming.statusCode ?? 0;
  const headers = new PlainHeaders(pairs(incoming.rawHeaders));
  return {
    ok: status >= 200 && status < 300,
    status,
    url,
    headers,
    body: isFramed(headers) ? limitReply(incoming) : wholeEvents(incoming),
    text: () => readText(incoming),
    destroy: () => void incoming.destroy(),
  };
}

/** Only error bodies are read as a whole, and their beginning is enough. */
const MAX_TEXT_BYTES = 1024 * 1024;

async function readText(incoming: AsyncIterable<Uint8Array>): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of incoming) {
    chunks.push(chunk);
    size += chunk.length;
    if (size > MAX_TEXT_BYTES) break;
  }
  return Buffer.concat(chunks).toString("utf8");
}

function pairs(flat: readonly string[]): [string, string][] {
  const list: [string, string][] = [];
  for (let i = 0; i + 1 < flat.length; i += 2) list.push([flat[i] ?? "", flat[i + 1] ?? ""]);
  return list;
}
