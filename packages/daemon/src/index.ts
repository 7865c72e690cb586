export type { AgentConfig } from "./agents.ts";
export { type DaemonConfig, defaultConfig } from "./config.ts";
export { type Daemon, type RunningDaemon, startDaemon } from "./daemon.ts";
export { AgentUnusable, DAEMON_ERRORS, DaemonError, type DaemonErrorCode, UnusableFolder } from "./errors.ts";
export type { Reload } from "./reload.ts";
export { StoreError, type StoreErrorCode } from "./store/store-error.ts";
