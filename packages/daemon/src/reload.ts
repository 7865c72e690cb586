import { isDeepStrictEqual } from "node:util";
import type { DaemonConfig } from "./config.ts";
import { SETTING_KEYS } from "./setting-keys.ts";

/** The effect of new settings on a running daemon. */
export interface Reload {
  /** The configuration from now on. */
  readonly config: DaemonConfig;
  /** The changed keys that take effect immediately, as `key: old → new`. */
  readonly changed: readonly string[];
  /** The changed keys that take effect when the daemon is restarted. */
  readonly needRestart: readonly string[];
}

/** The effect of a settings file on a running daemon. */
export interface SettingsNews extends Pick<Reload, "changed" | "needRestart"> {
  /** Warnings about the file, such as unknown keys. */
  readonly warnings: readonly string[];
}

/** How to reload a settings file while a daemon runs. */
export interface ReloadOptions {
  /** Only reports what would change. */
  readonly isDryRun: boolean;
  /** The database that the daemon would use if it were started now. */
  readonly storeUrl?: string | undefined;
}

/** Applies the settings that can change while a daemon runs. */
export function reload(now: DaemonConfig, wanted: DaemonConfig): Reload {
  const differing = SETTING_KEYS.filter(({ get }) => get(now) !== get(wanted));
  const live = differing.filter(({ isReloadable }) => isReloadable);
  const { trustedFolders } = wanted;
  const folders = isDeepStrictEqual(now.trustedFolders, trustedFolders)
    ? []
    : [`daemon.trusted_folders: ${listed(now.trustedFolders)} → ${listed(trustedFolders)}`];
  return {
    config: live.reduce((config, { get, set }) => set(config, get(wanted) as never), {
      ...now,
      trustedFolders,
    }),
    changed: [
      ...live.map(({ path, get }) => `${path}: ${said(get(now))} → ${said(get(wanted))}`),
      ...folders,
    ],
    needRestart: [
      ...differing.flatMap(({ path, isReloadable }) => (isReloadable ? [] : [path])),
      ...(isDeepStrictEqual(now.listen, wanted.listen) ? [] : ["daemon.listen"]),
      ...(isDeepStrictEqual(now.pushHosts, wanted.pushHosts) ? [] : ["daemon.push_hosts"]),
      ...(isDeepStrictEqual(now.agents, wanted.agents) ? [] : ["agents"]),
      ...(now.storeUrl === wanted.storeUrl ? [] : ["store.url"]),
      ...(isDeepStrictEqual(now.cluster, wanted.cluster) ? [] : ["cluster"]),
    ],
  };
}

const said = (value: number | string | undefined) => (value === undefined ? "unset" : String(value));
const listed = (folders: readonly string[]) => folders.join(", ") || "none";
