export type { AgentConfig } from "./agents.ts";
export { type DaemonConfig, defaultConfig } from "./config.ts";
export { Daemon, type RunningDaemon, startDaemon } from "./daemon.ts";
export { AgentUnusable, DAEMON_ERRORS, DaemonError, type DaemonErrorCode } from "./errors.ts";
export { readSettings, type Settings, SettingsError } from "./settings.ts";
export { StoreError, type StoreErrorCode } from "./store/store-error.ts";
