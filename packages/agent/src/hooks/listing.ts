import type { hostRequests, ResponseOf } from "@agentwire/protocol/control";
import { HOOK_EVENTS, hookShapes } from "@agentwire/protocol/hooks";
import type { Settings } from "../settings/settings.ts";
import type { SettingsHook } from "./settings-hooks.ts";

type Listing = ResponseOf<typeof hostRequests, "get_hooks_listing">;

/** The hooks of settings files and plugins, prepared for display. */
export function listHooks(hooks: readonly SettingsHook[], settings: Settings): Listing {
  const eventCatalog = HOOK_EVENTS.map((name) => ({
    name,
    summary: "",
    supportsMatcher: hookShapes.get(name)?.matcher !== undefined,
  }));
  const countOf = (event: string) => hooks.filter((hook) => hook.event === event).length;
  const isPolicy = ({ file }: SettingsHook) => file.source === "policySettings";
  return {
    events: eventCatalog
      .map((event) => ({ ...event, hookCount: countOf(event.name) }))
      .filter(({ hookCount }) => hookCount > 0),
    hooks: hooks.map(rowOf),
    eventCatalog,
    policy: {
      disabledByPolicy: false,
      managedOnly: false,
      pluginOnly: false,
      allDisabled: settings.effective.disableAllHooks === true,
      policyHookCount: hooks.filter(isPolicy).length,
    },
    ...(settings.errors.length > 0 && { errors: settings.errors.map((error) => ({ ...error })) }),
  };
}

function rowOf({
  event,
  pattern,
  file,
  command,
  timeoutMs,
  isAsync,
}: SettingsHook): Listing["hooks"][number] {
  return {
    event,
    matcher: pattern,
    source: file.source,
    sourceLabel: file.pluginName ?? file.source,
    ...(file.pluginName !== undefined && { pluginName: file.pluginName }),
    type: "command",
    displayText: command,
    commandText: command,
    contentLabel: "Command",
    timeout: timeoutMs / 1000,
    ...(isAsync && { runsInBackground: true }),
  };
}
