export type { AgentConfig } from "./agents.ts";
export { type DaemonConfig, defaultConfig } from "./config.ts";
export type { Daemon } from "./daemon.ts";
export { AgentUnusable, DAEMON_ERRORS, DaemonError, type DaemonErrorCode, UnusableFolder } from "./errors.ts";
export type { Reload } from "./reload.ts";
export { type RunningDaemon, startDaemon } from "./start.ts";
export { StoreError, type StoreErrorCode } from "./store/store-error.ts";
