import { isJsonObject } from "@agentwire/protocol";
import type { ProjectFiles } from "../context/project-files.ts";
import type { Settings } from "../settings/settings.ts";
import { type HookFile, readHookFiles, type SettingsHook } from "./settings-hooks.ts";

/** The command hooks of settings and plugins as they are now; they are read again only when one of those has changed. */
export function commandHooks(
  settings: Settings,
  files: ProjectFiles,
  bare: boolean,
  complain: (text: string) => void,
): () => readonly SettingsHook[] {
  let read: readonly SettingsHook[] = [];
  let of: readonly unknown[] = [];
  const told = new Set<string>();
  const complainOnce = (text: string) => {
    if (!told.has(text)) complain(`agentwire-agent: ${text}\n`);
    told.add(text);
  };
  return () => {
    const { plugins } = files.known;
    if (of[0] === settings.files && of[1] === plugins) return read;
    of = [settings.files, plugins];
    read =
      settings.effective.disableAllHooks === true
        ? []
        : readHookFiles([...settingsFiles(settings, bare), ...pluginFiles(files)], complainOnce);
    return read;
  };
}

/** Under `--bare` only the administrator's hooks run: a flag must not get around them. */
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
