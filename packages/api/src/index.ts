export { collectQuestions, type QuestionLister, type WantedQuestions } from "./collect-questions.ts";
export { type FollowOptions, follow, type News, type Watcher } from "./follow.ts";
export * from "./generated/agentwire/v1/admin_pb.ts";
export * from "./generated/agentwire/v1/audit_pb.ts";
export * from "./generated/agentwire/v1/event_pb.ts";
export * from "./generated/agentwire/v1/health_pb.ts";
export * from "./generated/agentwire/v1/input_pb.ts";
export * from "./generated/agentwire/v1/local_pb.ts";
export * from "./generated/agentwire/v1/model_pb.ts";
export * from "./generated/agentwire/v1/node_pb.ts";
export * from "./generated/agentwire/v1/peer_pb.ts";
export * from "./generated/agentwire/v1/presence_pb.ts";
export * from "./generated/agentwire/v1/push_pb.ts";
export * from "./generated/agentwire/v1/question_pb.ts";
export * from "./generated/agentwire/v1/rule_pb.ts";
export * from "./generated/agentwire/v1/search_pb.ts";
export * from "./generated/agentwire/v1/session_pb.ts";
export * from "./generated/agentwire/v1/token_pb.ts";
export * from "./generated/agentwire/v1/tooling_pb.ts";
export * from "./generated/agentwire/v1/usage_pb.ts";
export * from "./generated/agentwire/v1/watch_pb.ts";
export * from "./generated/agentwire/v1/workspace_pb.ts";
export * from "./generated/agentwire/v1/worktree_pb.ts";
export {
  Health,
  HealthCheckResponse_ServingStatus as ServingStatus,
} from "./generated/grpc/health/v1/health_pb.ts";
export {
  ServerReflection,
  type ServerReflectionRequest,
} from "./generated/grpc/reflection/v1/reflection_pb.ts";
export {
  ServerReflection as ServerReflectionAlpha,
  type ServerReflectionRequest as ServerReflectionAlphaRequest,
} from "./generated/grpc/reflection/v1alpha/reflection_pb.ts";
export { type MovingOptions, MovingTransport } from "./moving-transport.ts";
export { isRepeatable } from "./repeatable.ts";
