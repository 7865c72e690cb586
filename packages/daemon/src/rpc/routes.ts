import {
  AdminService,
  AuditService,
  Health,
  HealthService,
  ModelService,
  NodeService,
  PeerService,
  PresenceService,
  PushService,
  QuestionService,
  RuleService,
  ServerReflection,
  ServerReflectionAlpha,
  SessionService,
  TokenService,
  ToolingService,
  UsageService,
  WorkspaceService,
} from "@agentwire/api";
import type { Redact } from "@agentwire/protocol/support";
import type { DescService } from "@bufbuild/protobuf";
import type { ConnectRouter, Interceptor } from "@connectrpc/connect";
import type { Daemon } from "../daemon.ts";
import { adminService } from "./admin-service.ts";
import { auditService } from "./audit-service.ts";
import { presentable, toConnectError } from "./errors.ts";
import { grpcHealth } from "./grpc-health.ts";
import { healthService } from "./health-service.ts";
import { modelService } from "./model-service.ts";
import { nodeService } from "./node-service.ts";
import { requestIdOf } from "./observed.ts";
import { peerService } from "./peer-service.ts";
import { presenceService } from "./presence-service.ts";
import { pushService } from "./push-service.ts";
import { questionService } from "./question-service.ts";
import { reflection } from "./reflection.ts";
import { ruleService } from "./rule-service.ts";
import { sessionService } from "./session-service.ts";
import { atEnd } from "./stream-end.ts";
import { tokenService } from "./token-service.ts";
import { toolingService } from "./tooling-service.ts";
import { usageService } from "./usage-service.ts";
import { workspaceService } from "./workspace-service.ts";

/** The services that clients can discover. */
export const SERVICES: readonly DescService[] = [
  SessionService,
  QuestionService,
  RuleService,
  UsageService,
  ModelService,
  WorkspaceService,
  ToolingService,
  PresenceService,
  PushService,
  HealthService,
  AdminService,
  TokenService,
  AuditService,
  NodeService,
  Health,
  ServerReflection,
  ServerReflectionAlpha,
];

/** Registers all services for clients. */
export function routes(daemon: Daemon): (router: ConnectRouter) => void {
  return (router) => {
    router.service(SessionService, sessionService(daemon));
    router.service(QuestionService, questionService(daemon));
    router.service(RuleService, ruleService(daemon));
    router.service(UsageService, usageService(daemon));
    router.service(ModelService, modelService(daemon));
    router.service(WorkspaceService, workspaceService(daemon));
    router.service(ToolingService, toolingService(daemon));
    router.service(PresenceService, presenceService(daemon));
    router.service(PushService, pushService(daemon));
    router.service(HealthService, healthService(daemon));
    router.service(AdminService, adminService(daemon));
    router.service(TokenService, tokenService(daemon));
    router.service(AuditService, auditService(daemon));
    router.service(NodeService, nodeService(daemon));
    router.service(Health, grpcHealth(daemon));
    const serverReflectionInfo = reflection(SERVICES);
    router.service(ServerReflection, { serverReflectionInfo });
    // The same service under the name that older programs use.
    router.service(ServerReflectionAlpha, { serverReflectionInfo });
  };
}

/** Registers all services for clients, and that for other nodes of a cluster. */
export function peerRoutes(daemon: Daemon): (router: ConnectRouter) => void {
  return (router) => {
    routes(daemon)(router);
    router.service(PeerService, peerService(daemon));
  };
}

/** Converts all errors for clients, and reports unexpected ones. */
export function failures(redact: Redact, onBug: (error: unknown, requestId: string) => void): Interceptor {
  return (next) => async (request) => {
    const told = (error: unknown) => {
      const answer = toConnectError(error);
      if (answer.cause !== undefined && answer.cause === error) onBug(error, requestIdOf(request.header));
      return presentable(answer, redact);
    };
    try {
      const response = await next(request);
      return response.stream ? { ...response, message: atEnd(response.message, { failed: told }) } : response;
    } catch (error) {
      throw told(error);
    }
  };
}
