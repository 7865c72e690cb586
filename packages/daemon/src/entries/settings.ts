/** What a program that embeds a daemon needs to read its settings, and the log whose level they can change. */

export { isolationsOf } from "../isolation/isolation.ts";
export { type AdjustableLog, adjustableLog } from "../log.ts";
export { type ReloadOptions, reload, type SettingsNews } from "../reload.ts";
export { SETTING_KEYS, type SettingKey, schemaOf } from "../setting-keys.ts";
export { isStoreUrl, readSettings, type Settings } from "../settings.ts";
export { SettingsError } from "../settings-error.ts";
