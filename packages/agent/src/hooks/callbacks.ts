import { randomUUID } from "node:crypto";
import {
  compileMatcher,
  type HookEvent,
  type HookInput,
  type HookMatcher,
  type HookRegistration,
  readHookOutput,
} from "@agentwire/protocol/hooks";
import { errorMessage } from "@agentwire/protocol/support";
import type { HostLink } from "../host/host-link.ts";
import type { HookAnswer } from "./merge.ts";

/** A hook that runs in the host. */
export interface Callback {
  readonly id: string;
  readonly pattern: string;
  readonly matcher: HookMatcher;
  readonly deadlineMs: number;
  /** Whether its failure blocks the action that it guards. */
  readonly blocksOnFailure: boolean;
}

const DEFAULT_TIMEOUT_MS = 600_000;
/** Events where a failed hook never blocks, because there is nothing to guard. */
const NEVER_BLOCKED: ReadonlySet<string> = new Set(["Stop", "SubagentStop", "TaskCompleted", "TeammateIdle"]);

/** The callbacks that the host registered for an event. */
export function toCallbacks(event: string, registrations: readonly HookRegistration[]): readonly Callback[] {
  return registrations.flatMap(({ matcher, hookCallbackIds, timeout, onFailure }) =>
    hookCallbackIds.map((id) => ({
      id,
      pattern: matcher ?? "",
      matcher: compileMatcher(matcher),
      deadlineMs: timeout === undefined ? DEFAULT_TIMEOUT_MS : timeout * 1000,
      blocksOnFailure: onFailure === "block" && !NEVER_BLOCKED.has(event),
    })),
  );
}

/** Calls a hook of the host. Never rejects: a hook that can't be called counts as failed. */
export async function callBack(
  host: HostLink,
  { id, deadlineMs, blocksOnFailure: blocks }: Callback,
  event: HookEvent,
  input: HookInput,
  options: { readonly signal: AbortSignal; readonly toolUseId?: string },
): Promise<HookAnswer> {
  try {
    // The wire requires an id even if no tool is involved.
    const params = { callback_id: id, input, tool_use_id: options.toolUseId ?? randomUUID() };
    const answer = await host.request("hook_callback", params, { signal: options.signal, deadlineMs });
    const read = readHookOutput(event, answer);
    if (read.ok) return { output: read.output };
    // An answer for another event may have been meant to deny this call, so it must not run.
    return { failure: read.reason, blocks: blocks || (read.isForOther && event === "PreToolUse") };
  } catch (error) {
    return { failure: errorMessage(error), blocks };
  }
}
