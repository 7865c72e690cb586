import { compileMatcher, type HookMatcher, isJsonObject, type JsonObject } from "@agentwire/protocol";
import type { CommandHook } from "./command-hook.ts";

/** A command hook with the matcher it stands under. */
export interface SettingsHook extends CommandHook {
  readonly matcher: HookMatcher;
}

const DEFAULT_TIMEOUT_MS = 600_000;

/** The command hooks of an event in the `hooks` part of the settings; entries that can't be read are passed over. */
export function settingsHooks(settings: JsonObject, event: string): readonly SettingsHook[] {
  const hooks = isJsonObject(settings.hooks) ? settings.hooks[event] : undefined;
  if (!Array.isArray(hooks)) return [];
  return hooks.filter(isJsonObject).flatMap((group) => {
    const matcher = compileMatcher(typeof group.matcher === "string" ? group.matcher : undefined);
    const entries = Array.isArray(group.hooks) ? group.hooks.filter(isJsonObject) : [];
    return entries.filter(isCommand).map((entry) => ({
      matcher,
      command: String(entry.command),
      timeoutMs:
        typeof entry.timeout === "number" && entry.timeout > 0 ? entry.timeout * 1000 : DEFAULT_TIMEOUT_MS,
    }));
  });
}

const isCommand = (entry: JsonObject) => entry.type === "command" && typeof entry.command === "string";
