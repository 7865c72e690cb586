import {
  AdminService,
  Health,
  HealthService,
  QuestionService,
  RuleService,
  ServerReflection,
  SessionService,
  UsageService,
} from "@agentwire/api";
import type { ConnectRouter, Interceptor } from "@connectrpc/connect";
import type { Daemon } from "../daemon.ts";
import { adminService } from "./admin-service.ts";
import { toConnectError } from "./errors.ts";
import { grpcHealth } from "./grpc-health.ts";
import { healthService } from "./health-service.ts";
import { requestIdOf } from "./observed.ts";
import { questionService } from "./question-service.ts";
import { reflection } from "./reflection.ts";
import { ruleService } from "./rule-service.ts";
import { sessionService } from "./session-service.ts";
import { usageService } from "./usage-service.ts";

/** Everything that clients can call. */
export function routes(daemon: Daemon): (router: ConnectRouter) => void {
  return (router) => {
    router.service(SessionService, sessionService(daemon));
    router.service(QuestionService, questionService(daemon));
    router.service(RuleService, ruleService(daemon));
    router.service(UsageService, usageService(daemon));
    router.service(HealthService, healthService(daemon));
    router.service(AdminService, adminService(daemon));
    router.service(Health, grpcHealth(daemon));
    router.service(
      ServerReflection,
      reflection([
        SessionService,
        QuestionService,
        RuleService,
        UsageService,
        HealthService,
        AdminService,
        Health,
        ServerReflection,
      ]),
    );
  };
}

/** Tells clients of failures in one way, wherever they come from. */
export function failures(onBug: (error: unknown, requestId: string) => void): Interceptor {
  return (next) => async (request) => {
    const bug = (error: unknown) => onBug(error, requestIdOf(request.header));
    try {
      const response = await next(request);
      return response.stream ? { ...response, message: translated(response.message, bug) } : response;
    } catch (error) {
      throw told(error, bug);
    }
  };
}

async function* translated<T>(
  messages: AsyncIterable<T>,
  onBug: (error: unknown) => void,
): AsyncGenerator<T> {
  try {
    yield* messages;
  } catch (error) {
    throw told(error, onBug);
  }
}

function told(error: unknown, onBug: (error: unknown) => void) {
  const answer = toConnectError(error);
  if (answer.cause !== undefined && answer.cause === error) onBug(error);
  return answer;
}
