import type { DescMethod } from "@bufbuild/protobuf";
import { SessionService } from "./generated/agentwire/v1/session_pb.ts";
import { WorkspaceService } from "./generated/agentwire/v1/workspace_pb.ts";

const { createSession, sendPrompt, forkSession, rewind, endWorktree } = SessionService.method;
const { commitChanges, revertChange } = WorkspaceService.method;

/** Calls that must not be sent twice. */
const ONCE: ReadonlySet<DescMethod> = new Set<DescMethod>([
  ...[forkSession, rewind, endWorktree, commitChanges, revertChange],
]);
/** Calls that take effect once per key. */
const KEYED: ReadonlySet<DescMethod> = new Set<DescMethod>([createSession, sendPrompt]);

/**
 * Whether a call may be sent again after its connection was lost, because sending it twice has the effect of
 * sending it once. Calls that need a key are given one first.
 */
export const isRepeatable = (method: DescMethod): boolean => !ONCE.has(method);

/** Adds a key to a call that needs one to be repeatable and has none. */
export function withKey<T extends object>(method: DescMethod, message: T): T {
  if (!KEYED.has(method) || (message as { readonly idempotencyKey?: string }).idempotencyKey) return message;
  return { ...message, idempotencyKey: crypto.randomUUID() };
}
