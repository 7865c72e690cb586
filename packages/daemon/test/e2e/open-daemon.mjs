import { AuditService, HealthService, QuestionService, RuleService, SessionService } from "@agentwire/api";
import { startDaemon } from "@agentwire/daemon";
import { silentLog } from "@agentwire/protocol/support";
import { createClient } from "@connectrpc/connect";
import { createGrpcTransport } from "@connectrpc/connect-node";

/** Starts a daemon on a port in this process, with clients that use its token. */
export async function openDaemon(config) {
  const running = await startDaemon({ ...config, port: 0 }, silentLog);
  const bearer = (next) => (request) => {
    request.header.set("authorization", `Bearer ${running.token}`);
    return next(request);
  };
  const transport = createGrpcTransport({ baseUrl: running.addresses[1], interceptors: [bearer] });
  return {
    running,
    connect: (service) => createClient(service, transport),
    sessions: createClient(SessionService, transport),
    questions: createClient(QuestionService, transport),
    health: createClient(HealthService, transport),
    rules: createClient(RuleService, transport),
    audit: createClient(AuditService, transport),
  };
}
