import { isDeepStrictEqual } from "node:util";
import type { DaemonConfig } from "./config.ts";
import { SETTING_KEYS } from "./setting-keys.ts";

/** What new settings mean for a daemon that runs. */
export interface Reload {
  /** The configuration from now on. */
  readonly config: DaemonConfig;
  /** The keys that have changed and count from now on, as `key: old → new`. */
  readonly changed: readonly string[];
  /** The keys that count when the daemon is started again. */
  readonly needRestart: readonly string[];
}

/** What a settings file means for a daemon that runs. */
export interface SettingsNews extends Pick<Reload, "changed" | "needRestart"> {
  /** What is odd in the file. */
  readonly warnings: readonly string[];
}

/** How a settings file is read while a daemon runs. */
export interface ReloadOptions {
  /** Says what would change, and changes nothing. */
  readonly isDryRun: boolean;
  /** The database that the daemon would be started with now. */
  readonly storeUrl?: string | undefined;
}

/** Takes over what can be changed while a daemon runs. */
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
