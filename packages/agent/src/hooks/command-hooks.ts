import { isJsonObject } from "@agentwire/protocol";
import type { ProjectFiles } from "../context/project-files.ts";
import type { Settings } from "../settings/settings.ts";
import { type HookFile, readHookFiles, type SettingsHook } from "./settings-hooks.ts";

/** Returns a function that gives the current command hooks of settings and plugins, reading them again only after changes. */
export function commandHooks(
  settings: Settings,
  files: ProjectFiles,
  bare: boolean,
  complain: (text: string) => void,
): () => readonly SettingsHook[] {
  let read: readonly SettingsHook[] = [];
  let readFrom: readonly unknown[] = [];
  const reported = new Set<string>();
  const complainOnce = (text: string) => {
    if (!reported.has(text)) complain(`agentwire-agent: ${text}\n`);
    reported.add(text);
  };
  return () => {
    const { plugins } = files.known;
    if (readFrom[0] === settings.files && readFrom[1] === plugins) return read;
    readFrom = [settings.files, plugins];
    read =
      settings.effective.disableAllHooks === true
        ? []
        : readHookFiles([...settingsFiles(settings, bare), ...pluginFiles(files)], complainOnce);
    return read;
  };
}

/** With `--bare`, only the administrator's hooks run: a flag must not bypass them. */
function settingsFiles({ files }: Settings, bare: boolean): readonly HookFile[] {
  return files
    .filter(({ source }) => !bare || source === "policySettings")
    .flatMap(({ source, settings: { hooks } }) => (isJsonObject(hooks) ? [{ source, hooks }] : []));
}

function pluginFiles({ known }: ProjectFiles): readonly HookFile[] {
  return known.plugins.map(({ name, path, hooks }) => ({
    source: "pluginHook",
    pluginName: name,
    pluginRoot: path,
    hooks,
  }));
}
