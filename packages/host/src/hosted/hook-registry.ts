import type { HookRegistration } from "@agentwire/protocol/hooks";
import type { HookCallback } from "../sdk/hooks/callback.ts";
import type { Options } from "../sdk/options.ts";

/** The hooks of a session by the ids with which the agent calls them. */
export interface HookRegistry {
  /** The registrations in `initialize`, by event. */
  readonly registrations: Readonly<Record<string, HookRegistration[]>>;
  readonly callbacks: ReadonlyMap<string, HookCallback>;
  /** Whether a failing hook must block what it guards. */
  readonly mayBlock: boolean;
}

/** Gives each hook of the `hooks` option an id. */
export function registerHooks(hooks: Options["hooks"] = {}): HookRegistry {
  const registrations: Record<string, HookRegistration[]> = {};
  const callbacks = new Map<string, HookCallback>();
  let mayBlock = false;
  for (const [event, matchers] of Object.entries(hooks)) {
    if (!matchers || matchers.length === 0) continue;
    registrations[event] = matchers.map(({ matcher, hooks: functions, timeout, onFailure }) => {
      if (onFailure != null && onFailure !== "continue") mayBlock = true;
      const hookCallbackIds = functions.map((callback) => {
        const id = `hook_${callbacks.size}`;
        callbacks.set(id, callback);
        return id;
      });
      return {
        ...(matcher !== undefined && { matcher }),
        hookCallbackIds,
        ...(timeout !== undefined && { timeout }),
        ...(onFailure !== undefined && { onFailure }),
      };
    });
  }
  return { registrations, callbacks, mayBlock };
}
