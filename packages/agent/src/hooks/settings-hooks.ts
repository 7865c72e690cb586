import { isJsonObject, type JsonObject } from "@agentwire/protocol";
import { compileMatcher, type HookMatcher } from "@agentwire/protocol/hooks";
import type { CommandHook } from "./command-hook.ts";

/** The hooks of a settings file or a plugin, and their source. */
export interface HookFile {
  /** As reported to hosts: `userSettings`, `pluginHook` … */
  readonly source: string;
  readonly pluginName?: string;
  /** The value of `${CLAUDE_PLUGIN_ROOT}`. */
  readonly pluginRoot?: string;
  /** The `hooks` object: groups by event. */
  readonly hooks: JsonObject;
}

/** A command hook with its matcher and the file that defines it. */
export interface SettingsHook extends CommandHook {
  readonly event: string;
  readonly pattern: string;
  readonly matcher: HookMatcher;
  readonly file: HookFile;
}

const DEFAULT_TIMEOUT_MS = 600_000;

/** All command hooks of some files. Hooks of other types can't be run and are reported to `complain`. */
export function readHookFiles(
  files: readonly HookFile[],
  complain: (text: string) => void = () => {},
): readonly SettingsHook[] {
  return files.flatMap((file) =>
    Object.entries(file.hooks).flatMap(([event, groups]) =>
      Array.isArray(groups)
        ? groups.filter(isJsonObject).flatMap((group) => readGroup(file, event, group, complain))
        : [],
    ),
  );
}

function readGroup(
  file: HookFile,
  event: string,
  group: JsonObject,
  complain: (text: string) => void,
): readonly SettingsHook[] {
  const pattern = typeof group.matcher === "string" ? group.matcher : "";
  const matcher = compileMatcher(pattern);
  if (matcher.problem !== undefined) complain(`${file.source}: hooks of ${event}: ${matcher.problem}`);
  const entries = Array.isArray(group.hooks) ? group.hooks.filter(isJsonObject) : [];
  return entries.flatMap((entry) => {
    const { type, command, timeout } = entry;
    if (type !== "command" || typeof command !== "string") {
      complain(`${file.source}: a hook of ${event} has the type ${String(type)}, which is not supported`);
      return [];
    }
    const timeoutMs = typeof timeout === "number" && timeout > 0 ? timeout * 1000 : DEFAULT_TIMEOUT_MS;
    return [{ event, pattern, matcher, file, command, timeoutMs, isAsync: entry.async === true }];
  });
}
