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

/** A hook that lives in the host. */
export interface Callback {
  readonly id: string;
  readonly pattern: string;
  readonly matcher: HookMatcher;
  readonly deadlineMs: number;
  /** Whether what it guards must not happen when it fails. */
  readonly blocksOnFailure: boolean;
}

const DEFAULT_TIMEOUT_MS = 600_000;
/** Events where a failed hook never blocks: nothing would be guarded by it. */
const NEVER_BLOCKED: ReadonlySet<string> = new Set(["Stop", "SubagentStop", "TaskCompleted", "TeammateIdle"]);

/** Reads what the host registered for an event. */
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

/** Asks a hook of the host. Never rejects: a hook that can't be asked has failed. */
export async function callBack(
  host: HostLink,
  { id, deadlineMs, blocksOnFailure: blocks }: Callback,
  event: HookEvent,
  input: HookInput,
  options: { readonly signal: AbortSignal; readonly toolUseId?: string },
): Promise<HookAnswer> {
  try {
    // The wire names something even where no tool is involved.
    const params = { callback_id: id, input, tool_use_id: options.toolUseId ?? randomUUID() };
    const answer = await host.request("hook_callback", params, { signal: options.signal, deadlineMs });
    const read = readHookOutput(event, answer);
    if (read.ok) return { output: read.output };
    // An answer for another event may have been meant to stop this call, so it does not run.
    return { failure: read.reason, blocks: blocks || (read.isForOther && event === "PreToolUse") };
  } catch (error) {
    return { failure: errorMessage(error), blocks };
  }
}
