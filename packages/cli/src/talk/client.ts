import {
  AdminService,
  AuditService,
  HealthService,
  ModelService,
  MovingTransport,
  NodeService,
  QuestionService,
  RuleService,
  SessionService,
  TokenService,
  UsageService,
  WorkspaceService,
} from "@agentwire/api";
import { type Client as ClientOf, createClient, type Interceptor, type Transport } from "@connectrpc/connect";
import { createConnectTransport } from "@connectrpc/connect-node";
import type { Remote } from "./remote.ts";

/** The services of a daemon. */
export interface Client {
  readonly sessions: ClientOf<typeof SessionService>;
  readonly questions: ClientOf<typeof QuestionService>;
  readonly rules: ClientOf<typeof RuleService>;
  readonly usage: ClientOf<typeof UsageService>;
  readonly health: ClientOf<typeof HealthService>;
  readonly models: ClientOf<typeof ModelService>;
  readonly admin: ClientOf<typeof AdminService>;
  readonly tokens: ClientOf<typeof TokenService>;
  readonly audit: ClientOf<typeof AuditService>;
  readonly workspace: ClientOf<typeof WorkspaceService>;
  /** The transport that all services use. */
  readonly transport: Transport;
  readonly nodes: ClientOf<typeof NodeService>;
}

/** How to reach a daemon: through a local socket file, or remotely. */
export type Where = { readonly socketPath: string; readonly tls?: () => Remote["tls"] } | Remote;

/** Creates a client of a daemon; nothing is sent before the first request. `name` is what other clients see. */
export function clientAt(where: Where, name: string): Client {
  const transport = new MovingTransport({
    named: transportsTo(where, name),
    open: (address, pass) =>
      isTrusted(address, where) ? transportTo({ address, tls: tlsOf(where) }, name, pass) : undefined,
    isLasting: false,
  });
  return {
    sessions: createClient(SessionService, transport),
    questions: createClient(QuestionService, transport),
    rules: createClient(RuleService, transport),
    usage: createClient(UsageService, transport),
    health: createClient(HealthService, transport),
    models: createClient(ModelService, transport),
    admin: createClient(AdminService, transport),
    tokens: createClient(TokenService, transport),
    audit: createClient(AuditService, transport),
    workspace: createClient(WorkspaceService, transport),
    transport,
    nodes: createClient(NodeService, transport),
  };
}

/** The transports to the given nodes. */
function transportsTo(where: Where, name: string): [Transport, ...Transport[]] {
  if ("socketPath" in where) return [transportTo(where, name, () => undefined)];
  const { token, tls, others } = where;
  return [
    transportTo(where, name, () => token),
    ...others.map((address) => transportTo({ address, tls }, name, () => token)),
  ];
}

const tlsOf = (where: Where) => ("socketPath" in where ? (where.tls?.() ?? {}) : where.tls);

/** A plain http address reported by a cluster is a loopback address, valid only on the node's own machine. */
const isTrusted = (address: string, where: Where) =>
  address.startsWith("https://") || "socketPath" in where || where.address.startsWith("http://");

function transportTo(
  to: { readonly socketPath: string } | Pick<Remote, "address" | "tls">,
  name: string,
  token: () => string | undefined,
): Transport {
  const introduced: Interceptor = (next) => (request) => {
    request.header.set("agentwire-client", name);
    const proof = token();
    if (proof !== undefined) request.header.set("authorization", `Bearer ${proof}`);
    return next(request);
  };
  return createConnectTransport({
    // Over a socket file, the host in the address has no meaning.
    baseUrl: "address" in to ? to.address : "http://localhost",
    httpVersion: "1.1",
    nodeOptions: "address" in to ? to.tls : { socketPath: to.socketPath },
    interceptors: [introduced],
    acceptCompression: [],
  });
}
