import type { DescMethod } from "@bufbuild/protobuf";
import { SessionService } from "./generated/agentwire/v1/session_pb.ts";
import { WorkspaceService } from "./generated/agentwire/v1/workspace_pb.ts";

const { createSession, sendPrompt, forkSession, rewind, endWorktree } = SessionService.method;
const { commitChanges, revertChange } = WorkspaceService.method;

/** What must not be asked twice. */
const ONCE: ReadonlySet<DescMethod> = new Set<DescMethod>([
  ...[forkSession, rewind, endWorktree, commitChanges, revertChange],
]);
/** What counts once under its key. */
const KEYED: ReadonlySet<DescMethod> = new Set<DescMethod>([createSession, sendPrompt]);

/** Whether a call may be sent again when its connection was lost: doing it twice is like doing it once. Calls under a key are given one first. */
export const isRepeatable = (method: DescMethod): boolean => !ONCE.has(method);

/** A call with a key under which it can be sent again, unless it has one or needs none. */
export function withKey<T extends object>(method: DescMethod, message: T): T {
  if (!KEYED.has(method) || (message as { readonly idempotencyKey?: string }).idempotencyKey) return message;
  return { ...message, idempotencyKey: crypto.randomUUID() };
}
