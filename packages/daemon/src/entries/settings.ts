/** What a program around a daemon reads before it starts one, and the log whose level its settings can change. */

export { type AdjustableLog, adjustableLog } from "../adjustable-log.ts";
export { isolationsOf } from "../isolation/isolation.ts";
export { isStoreUrl, readSettings, type Settings } from "../settings.ts";
export { SettingsError } from "../settings-error.ts";
