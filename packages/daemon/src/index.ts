export { secureFolder } from "./access/folder.ts";
export type { AgentConfig } from "./agents.ts";
export { type DaemonConfig, defaultConfig } from "./config.ts";
export { Daemon, type RunningDaemon, startDaemon } from "./daemon.ts";
export { AgentUnusable, DAEMON_ERRORS, DaemonError, type DaemonErrorCode, UnsafeFolder } from "./errors.ts";
export { readSettings, type Settings } from "./settings.ts";
export { SettingsError } from "./settings-error.ts";
export { AuditCheck } from "./store/audit-hash.ts";
export { StoreError, type StoreErrorCode } from "./store/store-error.ts";
