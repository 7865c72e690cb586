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

/** Everything that a daemon can be asked. */
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
  /** What all of it goes through. */
  readonly transport: Transport;
  readonly nodes: ClientOf<typeof NodeService>;
}

/** Where a daemon is: at a socket file of this machine, or elsewhere. */
export type Where = { readonly socketPath: string; readonly tls?: () => Remote["tls"] } | Remote;

/** A client of a daemon; nothing is sent before it is asked something. `name` is what others see of us. */
export function clientAt(where: Where, name: string): Client {
  const transport = new MovingTransport({
    named: waysTo(where, name),
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

/** The ways to the nodes that were named. */
function waysTo(where: Where, name: string): [Transport, ...Transport[]] {
  if ("socketPath" in where) return [transportTo(where, name, () => undefined)];
  const { token, tls, others } = where;
  return [
    transportTo(where, name, () => token),
    ...others.map((address) => transportTo({ address, tls }, name, () => token)),
  ];
}

const tlsOf = (where: Where) => ("socketPath" in where ? (where.tls?.() ?? {}) : where.tls);

/** An address of this machine that a cluster names is not the same as seen from another one. */
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
    // Over a socket file the host in the address means nothing.
    baseUrl: "address" in to ? to.address : "http://localhost",
    httpVersion: "1.1",
    nodeOptions: "address" in to ? to.tls : { socketPath: to.socketPath },
    interceptors: [introduced],
    acceptCompression: [],
  });
}
