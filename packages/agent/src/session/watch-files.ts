import type { Hooks } from "../hooks/hooks.ts";
import type { Settings, SettingsSource } from "../settings/settings.ts";
import { type FileEvent, FileWatch } from "../watch/file-watch.ts";

/** What depends on the watched files of a session. */
export interface FileReaders {
  readonly settings: Settings;
  readonly hooks: Hooks;
  readonly complain: (text: string) => void;
  /** Called when changed settings have taken effect. */
  readonly onSettings: () => void;
  /** Fires when the session is over. */
  readonly signal: AbortSignal;
}

/** The names of settings sources in hooks. */
const CONFIG_SOURCES = {
  userSettings: "user_settings",
  projectSettings: "project_settings",
  localSettings: "local_settings",
  flagSettings: undefined,
  policySettings: "policy_settings",
} as const satisfies Record<SettingsSource, string | undefined>;

/** Wraps settings so that hooks run when the agent itself changes one of the files. */
export function announcedSettings(settings: Settings, hooks: Hooks): Settings {
  return {
    get files() {
      return settings.files;
    },
    get effective() {
      return settings.effective;
    },
    trust: settings.trust,
    isTrusted: settings.isTrusted,
    get withheld() {
      return settings.withheld;
    },
    get errors() {
      return settings.errors;
    },
    get paths() {
      return settings.paths;
    },
    lookAgain: (path) => settings.lookAgain(path),
    applyFlagSettings: (given) => settings.applyFlagSettings(given),
    async update(source, change) {
      await settings.update(source, change);
      if (!hooks.listens("ConfigChange")) return;
      const path = settings.files.find((file) => file.source === source)?.path;
      const facts = { source: CONFIG_SOURCES[source], file_path: path };
      void hooks.run("ConfigChange", facts, { signal: new AbortController().signal });
    },
  };
}

/** Creates the watch for the settings files and the files that hooks want to watch. */
export function watchFiles(readers: FileReaders): FileWatch {
  const { settings, hooks } = readers;
  const tellChanged = changeTeller(readers);
  return new FileWatch({
    paths: () => [...settings.paths, ...hooks.watchedFiles()],
    onBegun() {
      for (const path of settings.paths) void readSettings(readers, path);
    },
    onChanged(path, event) {
      if (settings.paths.includes(path)) void readSettings(readers, path);
      if (hooks.watchedFiles().includes(path)) void tellChanged(path, event);
    },
  });
}

/** Settings changed by another program take effect unless a hook objects; the administrator's always do. */
async function readSettings(readers: FileReaders, path: string): Promise<void> {
  const { settings, hooks, complain, signal, onSettings } = readers;
  const change = await settings.lookAgain(path);
  if (change?.kind === "unusable")
    for (const { message } of change.errors)
      complain(`agentwire-agent: ${path}: ${message}; its previous content still applies\n`);
  if (change?.kind !== "changed") return;
  const facts = { source: CONFIG_SOURCES[change.source], file_path: path };
  const said = hooks.listens("ConfigChange") ? await hooks.run("ConfigChange", facts, { signal }) : undefined;
  const isRefused = said?.block !== undefined || said?.stop !== undefined;
  if (isRefused && change.source !== "policySettings") return;
  change.take();
  onSettings();
}

/** Hooks may be slow and files may change often: changes to a file while its hooks run are reported as one afterwards. */
function changeTeller({ hooks, signal }: FileReaders) {
  const running = new Map<string, FileEvent | undefined>();
  return async (path: string, event: FileEvent): Promise<void> => {
    const isRunning = running.has(path);
    running.set(path, event);
    if (isRunning) return;
    for (let next = running.get(path); next && !signal.aborted; next = running.get(path)) {
      running.set(path, undefined);
      await hooks.run("FileChanged", { file_path: path, event: next }, { signal });
    }
    running.delete(path);
  };
}
