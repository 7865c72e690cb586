import {
  AdminService,
  AuditService,
  HealthService,
  ModelService,
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

/** A client of a daemon; nothing is sent before it is asked something. `name` is what others see of us. */
export function clientAt(where: { readonly socketPath: string } | Remote, name: string): Client {
  const introduced: Interceptor = (next) => (request) => {
    request.header.set("agentwire-client", name);
    if ("token" in where && where.token !== undefined)
      request.header.set("authorization", `Bearer ${where.token}`);
    return next(request);
  };
  const transport = createConnectTransport({
    // Over a socket file the host in the address means nothing.
    baseUrl: "address" in where ? where.address : "http://localhost",
    httpVersion: "1.1",
    nodeOptions: "address" in where ? where.tls : where,
    interceptors: [introduced],
    acceptCompression: [],
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
